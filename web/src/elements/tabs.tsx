// Links between the parts of a page, each of which is a page of its own.

import { useApp } from "../app.ts";
import type { Key } from "../texts/texts.ts";

export const Tabs = ({
  label,
  tabs,
  shown,
}: {
  label: string;
  tabs: readonly { path: string; text: Key }[];
  /** Path of the tab that is shown. */
  shown: string;
}) => {
  const { t } = useApp();
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ path, text }) => (
        <a key={path} href={path} aria-current={path === shown ? "page" : undefined}>
          {t(text)}
        </a>
      ))}
    </nav>
  );
};
