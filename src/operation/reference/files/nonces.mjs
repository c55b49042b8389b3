/** Gives the page's nonce to the style sheets that Scalar's script makes: some of its libraries (CodeMirror, Sonner) have no setting for one. */
const nonce = document.querySelector('meta[property="csp-nonce"]').content;
const create = document.createElement.bind(document);

document.createElement = (name, options) => {
  const made = create(name, options);
  if (made instanceof HTMLStyleElement) made.nonce = nonce;
  return made;
};
