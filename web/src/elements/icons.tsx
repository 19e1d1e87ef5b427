// The icons: strokes on a grid of 24, in the colour of the text. Each is decoration: its button has the name.

const PATHS = {
  home: "M4 11.5 12 4l8 7.5M6 10v9h4v-5h4v5h4v-9",
  bell: "M6 16V11a6 6 0 1 1 12 0v5l1.5 2h-15zM10 20.5h4",
  search: "M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13M15.5 15.5 20 20",
  mail: "M4 6h16v12H4zM4 7l8 6 8-6",
  person: "M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8M4.5 20c.8-4 3.6-6 7.5-6s6.7 2 7.5 6",
  people:
    "M9 5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7M2.5 19c.6-3.3 3-5 6.5-5s5.9 1.7 6.5 5M16 5.5a3 3 0 0 1 0 6M18 14.5c1.9.7 3 2.2 3.5 4.5",
  group:
    "M12 6.5a2.7 2.7 0 1 1 0 5.4 2.7 2.7 0 0 1 0-5.4M7.2 19c.4-2.9 2.2-4.5 4.8-4.5s4.4 1.6 4.8 4.5M5.4 8.6a2 2 0 1 0 0 4M2.6 17c.3-1.6 1.1-2.6 2.4-3M18.6 8.6a2 2 0 1 1 0 4M21.4 17c-.3-1.6-1.1-2.6-2.4-3",
  globe:
    "M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17M3.5 12h17M12 3.5c-5 5-5 12 0 17M12 3.5c5 5 5 12 0 17",
  moon: "M19.5 14A8 8 0 0 1 10 4.5 8 8 0 1 0 19.5 14",
  lock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
  at: "M15.5 12a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0v1.5a2.5 2.5 0 0 0 5 0V12a8.5 8.5 0 1 0-3.5 6.9",
  reply: "M9 6 4 11l5 5M4 11h9c4 0 6.5 2 7 7",
  boost: "M7 18V8M4 11l3-3 3 3M17 6v10M14 13l3 3 3-3M10.5 18H14M10 6h3.5",
  heart: "M12 20C5 15.5 3.5 12 3.5 9a4.5 4.5 0 0 1 8.5-2 4.5 4.5 0 0 1 8.5 2c0 3-1.5 6.5-8.5 11z",
  bookmark: "M6.5 4h11v16L12 16l-5.5 4z",
  quote: "M5 17c3-1 4-3.5 4-7H5V6h5v4M14 17c3-1 4-3.5 4-7h-4V6h5v4",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  pen: "M4 20l1-4L16 5l3 3L8 19z",
  picture: "M4 5h16v14H4zM4 16l5-5 4 4 2.5-2.5L20 17M15 9h.01",
  play: "M8 5v14l11-7z",
  poll: "M5 19v-7M12 19V5M19 19v-4",
  warning: "M12 4 3 19.5h18zM12 10v4.5M12 17h.01",
  calendar: "M4 6h16v14H4zM4 10.5h16M8.5 3.5v4M15.5 3.5v4",
  place:
    "M12 21c-4.5-5-6.5-8-6.5-11a6.5 6.5 0 0 1 13 0c0 3-2 6-6.5 11M12 7.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5",
  clock: "M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17M12 7.5V12l3 2",
  smile:
    "M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17M8.5 14c1.8 2.5 5.2 2.5 7 0M9 9.5h.01M15 9.5h.01",
  close: "M6 6l12 12M18 6 6 18",
  check: "M5 12.5 10 17.5 19.5 7",
  plus: "M12 5v14M5 12h14",
  trash: "M5 7h14M9.5 7V4.5h5V7M7 7l1 13h8l1-13M10.5 11v5.5M13.5 11v5.5",
  pin: "M9 4h6l-1 6 3 3v2H7v-2l3-3zM12 15v6",
  hash: "M9 4 7 20M17 4l-2 16M4.5 9h16M3.5 15h16",
  list: "M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01",
  gear: "M12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6M10 5.4l.5-2.3h3l.5 2.3 1.2.5 2-1.2 2.1 2.1-1.2 2 .5 1.2 2.3.5v3l-2.3.5-.5 1.2 1.2 2-2.1 2.1-2-1.2-1.2.5-.5 2.3h-3l-.5-2.3-1.2-.5-2 1.2-2.1-2.1 1.2-2-.5-1.2-2.3-.5v-3l2.3-.5.5-1.2-1.2-2 2.1-2.1 2 1.2z",
  sliders:
    "M4 7h9M17 7h3M15 5a2 2 0 1 1 0 4 2 2 0 0 1 0-4M4 17h3M11 17h9M9 15a2 2 0 1 1 0 4 2 2 0 0 1 0-4",
  back: "M11 5l-7 7 7 7M4 12h16",
  next: "M13 5l7 7-7 7M20 12H4",
  forward: "M9 5l7 7-7 7",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  compass: "M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17M15.5 8.5l-2 5-5 2 2-5z",
  shield: "M12 3.5l7.5 3v5c0 4.5-3 7.5-7.5 9-4.5-1.5-7.5-4.5-7.5-9v-5z",
  download: "M12 4v11M7 10.5l5 5 5-5M5 20h14",
  out: "M14 5H5v14h9M10 12h11M17 8l4 4-4 4",
  markdown: "M3 6h18v12H3zM6.5 15V9.5l2.5 3 2.5-3V15M16.5 9.5V15M14.3 12.8l2.2 2.2 2.2-2.2",
  eye: "M2.5 12c4-7 15-7 19 0-4 7-15 7-19 0M12 9.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5",
} as const;

export type IconName = keyof typeof PATHS;

/** Draws all icons once in each document (document.tsx), because a page uses icons more than a hundred times. */
export const IconSprite = () => (
  <svg hidden>
    {Object.entries(PATHS).map(([name, path]) => (
      <symbol key={name} id={`icon-${name}`} viewBox="0 0 24 24">
        <path d={path} />
      </symbol>
    ))}
  </svg>
);

export const Icon = ({ name }: { name: IconName }) => (
  <svg class={`icon icon-${name}`} aria-hidden="true">
    <use href={`#icon-${name}`} />
  </svg>
);
