"""What a page is looked over for, as JavaScript that a browser runs beside the page."""

# Each comes to a list of problems.

WIDTH = """(() => {
  const root = document.scrollingElement, problems = [];
  if (root.scrollWidth > innerWidth) {
    problems.push(`the page is ${root.scrollWidth} px wide in ${innerWidth}`);
    for (const element of document.body.querySelectorAll('*')) {
      const right = element.getBoundingClientRect().right;
      if (right > innerWidth + 1 && problems.length < 4)
        problems.push(`<${element.localName}> ends at ${Math.round(right)}: ${element.textContent.trim().slice(0, 40)}`);
    }
  }
  for (const element of document.querySelectorAll('main *, header *, footer *')) {
    const style = getComputedStyle(element);
    if (style.clipPath === 'none' && style.display !== 'inline'
        && element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1)
      problems.push(`<${element.localName}> is cut off: ${element.textContent.trim().slice(0, 40)}`);
  }
  return problems;
})()"""

STRUCTURE = """(() => {
  const problems = [], all = selector => [...document.querySelectorAll(selector)];
  const name = element => element.textContent.trim().slice(0, 40);
  if (document.documentElement.lang !== 'en') problems.push('no language');
  if (!document.title.trim()) problems.push('no title');
  if (all('h1').length !== 1) problems.push(`${all('h1').length} h1`);
  let level = 0;
  for (const heading of all('h1, h2, h3, h4, h5, h6')) {
    const next = Number(heading.localName[1]);
    if (next > level + 1) problems.push(`h${next} behind h${level}: ${name(heading)}`);
    if (!heading.textContent.trim()) problems.push(`an empty h${next}`);
    level = next;
  }
  for (const landmark of ['header', 'nav', 'main', 'footer'])
    if (all(`body > ${landmark}`).length !== 1) problems.push(`no one <${landmark}>`);
  for (const table of all('table')) {
    if (!table.caption || !table.caption.textContent.trim()) problems.push('a table without caption');
    for (const header of table.querySelectorAll('th'))
      if (!['row', 'col'].includes(header.scope)) problems.push(`a header without scope: ${name(header)}`);
    const columns = table.tHead.rows[0].cells.length;
    for (const row of table.tBodies[0].rows) {
      if (row.cells.length !== columns) problems.push(`a row of ${row.cells.length} cells in ${columns}`);
      if (row.cells[0].localName !== 'th') problems.push(`a row without header: ${name(row)}`);
    }
  }
  for (const image of all('img'))
    if (!image.alt.trim() || !image.complete || !image.naturalWidth) problems.push('an image that is not shown or not told');
  for (const section of all('section')) {
    const label = document.getElementById(section.getAttribute('aria-labelledby'));
    if (!label || !label.textContent.trim()) problems.push(`a section without name: ${section.id}`);
  }
  const ids = all('[id]').map(element => element.id);
  if (new Set(ids).size !== ids.length) problems.push('an id that is there twice');
  for (const link of all('a')) {
    const target = link.getAttribute('href');
    if (!target.startsWith('#') || !document.getElementById(target.slice(1))) problems.push(`a link to ${target}`);
  }
  for (const list of all('ul, ol, dl')) if (!list.children.length) problems.push('an empty list');
  for (const element of all('script, iframe, object, embed, link, form, base, style ~ style, svg, math, video, audio'))
    problems.push(`a <${element.localName}>`);
  for (const element of all('*'))
    for (const attribute of element.attributes)
      if (attribute.name.startsWith('on') || attribute.name === 'style'
          || (['src', 'href'].includes(attribute.name) && !/^(#|data:image\\/png;base64,)/.test(attribute.value)))
        problems.push(`${attribute.name} on <${element.localName}>`);
  return problems;
})()"""

CONTRAST = """(() => {
  const parse = text => {
    const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number);
    return [r, g, b, a];
  };
  const luminance = color => {
    const [r, g, b] = color.map(value => value / 255)
      .map(value => value <= .04045 ? value / 12.92 : ((value + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const background = element => {
    for (let here = element; here; here = here.parentElement) {
      const color = parse(getComputedStyle(here).backgroundColor);
      if (color[3] === 1) return color;
      if (color[3] > 0) return null;
    }
    return [255, 255, 255, 1];
  };
  const problems = new Map();
  const judge = (element, style, text) => {
    const back = background(element), fore = parse(style.color);
    if (!back || fore[3] !== 1) { problems.set('a colour that lets through', 1); return; }
    const [light, dark] = [luminance(back), luminance(fore)].sort((a, b) => b - a);
    const ratio = (light + .05) / (dark + .05), size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (isLarge ? 3 : 4.5))
      problems.set(`${ratio.toFixed(2)} in <${element.localName} class="${element.className}">: ${text.trim().slice(0, 30)}`, 1);
  };
  let count = 0;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode;
    if (!node.nodeValue.trim() || !node.parentElement.checkVisibility()) continue;
    count += 1;
    judge(node.parentElement, getComputedStyle(node.parentElement), node.nodeValue);
  }
  for (const element of document.querySelectorAll('td, th')) {
    const style = getComputedStyle(element, '::before');
    if (style.content !== 'none') judge(element, style, style.content);
  }
  return count < 20 ? ['hardly any text was looked at'] : [...problems.keys()];
})()"""

FOCUSABLE = """[...document.querySelectorAll('a[href], summary, [tabindex]')]
  .filter(element => element.checkVisibility()).length"""

# Where the focus is among what can have it, and how it shows.
FOCUS = """(() => {
  const all = [...document.querySelectorAll('a[href], summary, [tabindex]')];
  const style = getComputedStyle(document.activeElement);
  const box = document.activeElement.getBoundingClientRect();
  return [all.indexOf(document.activeElement),
    style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2, box.left >= 0 && box.width > 0];
})()"""

PAPER = """(() => {
  const problems = [];
  for (const text of document.querySelectorAll('details > p'))
    if (!text.checkVisibility() || text.getBoundingClientRect().height < 1)
      problems.push('a closed text on paper');
  if (getComputedStyle(document.body).backgroundColor !== 'rgb(255, 255, 255)') problems.push('paper is not white');
  if (document.querySelector('nav').checkVisibility()) problems.push('links on paper');
  return problems;
})()"""
