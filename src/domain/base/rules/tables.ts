// Row types of the rules slice.

export type RuleRow = {
  id: string;
  text: string;
  hint: string;
  /** Has translations by language code. */
  translations: Record<string, { text: string; hint: string }>;
};
