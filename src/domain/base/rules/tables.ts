// Row types of the rules slice.

export type RuleRow = {
  id: string;
  text: string;
  hint: string;
  /** Translations by language code. */
  translations: Record<string, { text: string; hint: string }>;
};
