/// How pages look: light and dark, on a phone, on a desk and on paper.
enum PageStyle {
  /// The style sheet. It names no font and no image that would have to be loaded.
  static let text = colors + base + parts + tables + narrow + print

  private static let colors = """
    :root {
      color-scheme: light dark;
      --page: #fbfbf9; --card: #ffffff; --line: #dededa; --ink: #1d1d1f; --soft: #5a5a60;
      --link: #0b57c4; --good: #1a6b35; --error: #b3261e; --warning: #855000; --note: #3a5c8a;
      --good-back: #e8f4ea; --error-back: #fceceb; --warning-back: #fbf1de; --note-back: #eaf0f8;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --page: #151517; --card: #1d1d20; --line: #38383d; --ink: #ececee; --soft: #a9a9b1;
        --link: #8db8ff; --good: #7ed498; --error: #ff9d94; --warning: #f2bf6b; --note: #a3c3f0;
        --good-back: #17291c; --error-back: #331b1a; --warning-back: #2e2412; --note-back: #1a2433;
      }
    }

    """

  private static let base = """
    * { box-sizing: border-box; }
    html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
    body {
      margin: 0 auto; padding: 2.5rem 1.5rem 3rem; max-width: 60rem;
      background: var(--page); color: var(--ink);
      font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
      overflow-wrap: break-word;
    }
    code, bdi, td, dd { overflow-wrap: anywhere; }
    a { color: var(--link); text-underline-offset: .15em; }
    :focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 4px; }
    .skip { position: absolute; left: -100rem; }
    .skip:focus { left: 1rem; top: .5rem; padding: .5rem .75rem; background: var(--card); }
    code { font: .875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
    h1, h2, h3, h4 { line-height: 1.25; margin: 0; text-wrap: balance; }
    h1 { font-size: 2rem; letter-spacing: -.015em; }
    h2 { font-size: 1.375rem; letter-spacing: -.01em; margin: 0 0 1rem; }
    h3 { font-size: 1.0625rem; margin: 2rem 0 .75rem; }
    h4 { font-size: 1rem; font-weight: 600; text-wrap: wrap; }
    p { margin: .5rem 0; max-width: 44rem; }
    ul, ol { margin: .5rem 0; padding-left: 1.25rem; }
    dl, dd { margin: 0; }
    section { padding: 2.5rem 0 0; margin: 2.5rem 0 0; border-top: 1px solid var(--line); }
    section:first-child { margin-top: 0; padding-top: 1.5rem; border: 0; }
    .remark, .nothing, .kind, .more, footer { color: var(--soft); }
    .changes .nothing { white-space: nowrap; }
    .remark, .kind { font-size: .9375rem; }

    """

  private static let parts = """
    header { display: flex; gap: 1.25rem; align-items: center; }
    header > div { min-width: 0; }
    header img { width: 5rem; height: 5rem; object-fit: contain; border-radius: 1.1rem; }
    .identity { margin: .25rem 0 0; color: var(--soft); }
    .identity code { margin-right: .75rem; }
    .identity span { display: inline-block; overflow-wrap: anywhere; }
    nav ul {
      display: flex; flex-wrap: wrap; gap: .25rem 1.1rem; list-style: none;
      margin: 1.5rem 0 0; padding: 0; font-size: .9375rem;
    }
    nav a { display: inline-block; padding: .25rem 0; text-decoration: none; }
    nav a:hover { text-decoration: underline; }
    footer {
      margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: .875rem;
    }
    .verdict {
      display: flex; gap: .6rem; align-items: baseline; flex-wrap: wrap; max-width: none;
      margin: 0 0 1rem; padding: .9rem 1.1rem; border-radius: .6rem; font-size: 1.125rem;
    }
    .verdict.good { background: var(--good-back); color: var(--good); }
    .verdict.error { background: var(--error-back); color: var(--error); }
    .verdict span:last-child { color: var(--ink); }
    .worst { margin: 0 0 .5rem; }
    .worst ~ .tiles { margin-top: 1.5rem; }
    .worst li { margin: .35rem 0; }
    .tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: .75rem; }
    .tiles > div {
      padding: .9rem 1.1rem; background: var(--card); border: 1px solid var(--line);
      border-radius: .6rem;
    }
    .tiles dt, .facts dt { color: var(--soft); font-size: .875rem; }
    .facts > div {
      display: grid; grid-template-columns: 8rem minmax(0, 1fr); gap: .1rem 1rem; padding: .2rem 0;
      align-items: baseline;
    }
    .facts dd > ul { margin: 0; }
    .badge { font-weight: 600; white-space: nowrap; }
    .badge > span {
      display: inline-block; width: 1.35em; margin-right: .3em; border-radius: 1em;
      text-align: center; line-height: 1.35; font-size: .875em;
    }
    .badge.good { color: var(--good); } .badge.good > span { background: var(--good-back); }
    .badge.error { color: var(--error); } .badge.error > span { background: var(--error-back); }
    .badge.warning { color: var(--warning); }
    .badge.warning > span { background: var(--warning-back); }
    .badge.note { color: var(--note); } .badge.note > span { background: var(--note-back); }
    .findings { list-style: none; padding: 0; margin: .75rem 0; }
    .findings > li {
      margin: .75rem 0; padding: 1rem 1.2rem; background: var(--card); border-radius: .6rem;
      border: 1px solid var(--line); border-left: 4px solid var(--note);
    }
    .findings > li.error { border-left-color: var(--error); }
    .findings > li.warning { border-left-color: var(--warning); }
    .places { list-style: none; padding: 0; margin: .4rem 0 0; }
    .places li { padding: .35rem 0; border-radius: 4px; }
    .places li:target { outline: 2px solid var(--link); outline-offset: 4px; }
    .places p { margin: 0; max-width: none; }
    .places .key { font-size: .9375rem; }
    details { margin-top: .6rem; }
    summary { color: var(--link); cursor: pointer; width: fit-content; }
    .destination {
      margin: 1.25rem 0; padding: 1.1rem 1.2rem; background: var(--card);
      border: 1px solid var(--line); border-radius: .6rem; break-inside: avoid;
    }
    .destination h3 { margin: 0 0 .6rem; font-weight: 600; }
    .destination table { margin-bottom: 0; }
    .destination tbody tr:last-child > * { padding-bottom: 0; }
    .tree, .tree ul { list-style: none; padding-left: 0; }
    .tree ul { margin: .25rem 0 .25rem .35rem; padding-left: 1.1rem; border-left: 1px solid var(--line); }
    .tree li { padding: .35rem 0; }
    .bundle { color: var(--soft); font-size: .9375rem; }

    """

  private static let tables = """
    table { width: 100%; border-collapse: collapse; margin: .75rem 0; }
    caption { text-align: left; color: var(--soft); font-size: .875rem; padding: 0 0 .4rem; }
    h3 + table caption, .remark + table caption { \(unseen) }
    th, td { text-align: left; vertical-align: top; padding: .6rem 1rem .6rem 0; }
    th:last-child, td:last-child { padding-right: 0; }
    thead th { white-space: nowrap; font-size: .875rem; font-weight: 600; padding-top: .2rem; padding-bottom: .4rem; }
    tbody th { font-weight: 500; min-width: 9rem; }
    .decisions th:first-child { width: 11rem; }
    .decisions td:nth-child(2) { width: 8rem; }
    .settings th:first-child { width: 18rem; }
    .settings td:nth-child(2) { min-width: 5rem; }
    .changes th:first-child { width: 20rem; }
    .changes td:nth-child(2) { white-space: nowrap; }
    .exceptions th:first-child { width: 16rem; }
    tr { border-bottom: 1px solid var(--line); }
    tbody tr:last-child { border-bottom: 0; }
    .key { color: var(--soft); margin-top: .15rem; }
    .keys dd { margin: 0 0 .5rem; }
    .keys dd:last-child { margin: 0; }
    .keys dt { color: var(--soft); }

    """

  /// For screen readers alone.
  private static let unseen =
    "position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);"

  /// On a phone a row is a card, with each column's header before its cell.
  private static let narrow = """
    @media screen and (max-width: 40rem) {
      body { padding: 1.5rem 1rem 2rem; }
      header { gap: 1rem; align-items: flex-start; }
      header img { width: 4rem; height: 4rem; border-radius: .9rem; }
      h1 { font-size: 1.625rem; }
      section { padding-top: 1.75rem; margin-top: 1.75rem; }
      .facts > div { grid-template-columns: 6.5rem minmax(0, 1fr); }
      table, caption, tbody, tr, th, td { display: block; }
      thead { \(unseen) }
      tr { padding: .75rem 0; }
      th, td { padding: .15rem 0; }
      table[class] th:first-child, table[class] td:nth-child(2) { width: auto; min-width: 0; }
      .changes td:has(> .nothing), .changes td:nth-child(2)::before { display: none; }
      td::before, tbody th::before {
        content: attr(data-label) / ""; display: block; color: var(--soft); font-size: .8125rem;
        font-weight: 400;
      }
      .decisions th, .decisions td { font-weight: inherit; }
      .decisions tbody th { font-weight: 600; }
      .decisions td::before, .decisions tbody th::before, .exceptions td::before,
      tbody th::before { content: none; }
      .destination { padding: 1rem; }
      .destination .facts > div { grid-template-columns: minmax(0, 1fr); }
    }

    """

  /// On paper everything is open, and nothing is dark.
  private static let print = """
    @media print {
      :root {
        color-scheme: light;
        --page: #fff; --card: #fff; --line: #bbb; --ink: #000; --soft: #444; --link: #000;
        --good: #0f5527; --error: #8f1d16; --warning: #6b4000; --note: #27466f;
        --good-back: #fff; --error-back: #fff; --warning-back: #fff; --note-back: #fff;
      }
      @page { margin: 16mm 14mm; }
      html { font-size: 10pt; }
      body { max-width: none; padding: 0; }
      :focus-visible { outline: none; }
      nav, .skip { display: none; }
      a { text-decoration: none; }
      section { margin-top: 1.25rem; padding-top: 1.25rem; }
      h2, h3, h4, caption, thead { break-after: avoid; }
      tbody tr:first-child { break-before: avoid; }
      tr, .places li, .facts > div, .tree li > div { break-inside: avoid; }
      .verdict { border: 1px solid; }
      details::details-content { content-visibility: visible; display: block; block-size: auto; }
      details > summary { list-style: none; color: var(--soft); }
    }

    """
}
