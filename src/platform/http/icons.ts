// The built-in icon, and where icons are served.

/** The logo, a rook, as an SVG path that takes its colour from the context. */
const BIRD =
  "M21 6.2c-1-.9-2.3-1.4-3.6-1.4-2.3 0-4.2 1.3-5.1 3.3L2 15.6l4.6-.5-1.9 3 4.2-1.5c1.1.6 2.3.9 3.6.9h.2l-.7 3.3h1.5l.8-3.6 1.2 3.6h1.5l-1.4-4.2c2.6-1.4 4.2-4 4.2-7V9l2.2-1.2z";

export const ICON_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="5" fill="#5b3fc4"/><path fill="#fff" transform="translate(3 3) scale(.75)" d="${BIRD}"/></svg>`;

/** Paths of the icons, which pages/site-pictures.ts serves, because an upload can replace them. */
export const ICON_PATH = "/assets/icon.svg";
export const LOGO_PATH = "/assets/logo.svg";
