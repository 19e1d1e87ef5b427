// Links between the parts of a page, each of which is a page of its own: four at most, so that none is out of sight. The
// rest are under "More", a native popover, which also opens on pages without scripts.

import { useId } from "preact/hooks";
import { useApp } from "../app.ts";
import type { Key } from "../texts/texts.ts";

const MOST = 4;

type Tab = { path: string; text: Key };

const TabLink = ({ path, text, shown, ...more }: Tab & { shown: string; class?: string }) => {
  const { t } = useApp();
  return (
    <a {...more} href={path} aria-current={path === shown ? "page" : undefined}>
      {t(text)}
    </a>
  );
};

/** Is named after the shown tab where that is one of the rest. */
const Rest = ({ tabs, shown }: { tabs: readonly Tab[]; shown: string }) => {
  const { t } = useApp();
  const id = useId();
  const here = tabs.find(({ path }) => path === shown);
  return (
    <>
      <button
        type="button"
        class={here ? "tabs-more of-rest" : "tabs-more"}
        popoverTarget={id}
        title={t("post.more")}
      >
        {t(here?.text ?? "post.more")}
      </button>
      <div
        key={shown}
        id={id}
        popover="auto"
        class="menu tabs-rest"
        onClick={({ currentTarget }) => currentTarget.hidePopover()}
      >
        {tabs.map((tab) => (
          <TabLink key={tab.path} {...tab} shown={shown} class="menu-item" />
        ))}
      </div>
    </>
  );
};

export const Tabs = ({
  label,
  tabs,
  shown,
}: {
  label: string;
  tabs: readonly Tab[];
  /** Path of the tab that is shown. */
  shown: string;
}) => {
  const isHidden = tabs.findIndex(({ path }) => path === shown) >= MOST - 1;
  // A name takes the room of "More" and two others, also on a phone.
  const first = tabs.length > MOST ? MOST - (isHidden ? 3 : 1) : MOST;
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.slice(0, first).map((tab) => (
        <TabLink key={tab.path} {...tab} shown={shown} />
      ))}
      {tabs.length > MOST && <Rest tabs={tabs.slice(first)} shown={shown} />}
    </nav>
  );
};
