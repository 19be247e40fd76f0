"""What the black-box checks share. Nothing here shares code with ipa-inject or with the samples."""
