// Says whether a click is one that a page may act on, and asks for no new tab, window or download.

export const isPlainClick = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
