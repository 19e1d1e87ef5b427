// Defines how the client looks in this browser: choices that the server keeps in a cookie and draws as attributes of
// the document (data-theme="dark"), so that no page first shows in another theme.

/** Choices, the default first. The server has the same ones (src/platform/http/look.ts). */
export const LOOK_CHOICES = {
  theme: ["auto", "light", "dark", "contrast"],
  text: ["normal", "small", "large", "huge"],
  motion: ["auto", "reduced"],
  density: ["comfortable", "compact"],
  alt: ["hidden", "shown"],
  keys: ["on", "off"],
} as const;

export type LookName = keyof typeof LOOK_CHOICES;

/** Choices that differ from the defaults. */
export type Look = { [N in LookName]?: (typeof LOOK_CHOICES)[N][number] };

export const lookOf = <N extends LookName>(look: Look, name: N): string =>
  look[name] ?? LOOK_CHOICES[name][0];
