// Links between the parts of a section of the server's own pages.

import { Tabs } from "../elements/tabs.tsx";
import { useWords } from "./served.tsx";
import type { Key, Words } from "./served.tsx";

type Props = {
  title: Words;
  /** Path of the tab that is shown. */
  shown: string;
  tabs: readonly (readonly [path: string, text: Key])[];
};

export const SectionTabs = ({ title, shown, tabs }: Props) => (
  <Tabs
    label={useWords()(title)}
    shown={shown}
    tabs={tabs.map(([path, text]) => ({ path, text }))}
  />
);
