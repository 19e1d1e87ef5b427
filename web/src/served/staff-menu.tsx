// The menu of the staff: beside their pages where there is room, folded above them elsewhere. The server draws their
// pages, in the same frame; the client draws the posts on them.

import type { ComponentChildren } from "preact";
import { useApp } from "../app.ts";
import { ColumnHead } from "../views/frame.tsx";
import { MenuTitle } from "../views/settings-menu.tsx";
import type { StaffMenu } from "./pages.ts";

const Entries = ({ menu }: { menu: StaffMenu }) =>
  menu.map(({ title, entries }) => (
    <section key={title}>
      <h2>{title}</h2>
      {entries.map(({ path, text, count, isHere }) => (
        <a key={path} href={path} aria-current={isHere ? "page" : undefined}>
          {text} {count > 0 && <span class="badge">{count}</span>}
        </a>
      ))}
    </section>
  ));

export const StaffMenuBeside = ({ menu }: { menu: StaffMenu }) => {
  const { t } = useApp();
  return (
    <nav class="settings-menu staff-menu" aria-label={t("nav.admin")}>
      <MenuTitle text="nav.admin" />
      <Entries menu={menu} />
    </nav>
  );
};

const Folded = ({ menu }: { menu: StaffMenu }) => {
  const { t } = useApp();
  const entries = menu.flatMap((group) => group.entries);
  const waiting = entries.reduce((sum, { count }) => sum + count, 0);
  const here = entries.find(({ isHere }) => isHere);
  return (
    <details class="staff-folded">
      <summary>
        {here ? t("words.pair", { name: t("nav.menu"), value: here.text }) : t("nav.menu")}{" "}
        {waiting > 0 && <span class="badge">{waiting}</span>}
      </summary>
      <nav class="settings-menu staff-menu" aria-label={t("nav.admin")}>
        <Entries menu={menu} />
      </nav>
    </details>
  );
};

/** Draws the frame around what the server has drawn for the staff. */
export const StaffBody = ({
  title,
  menu,
  back,
  children,
}: {
  title: string;
  menu: StaffMenu;
  back: string;
  children: ComponentChildren;
}) => (
  <>
    <ColumnHead title={title} back={back} />
    <div class="servers-page staff-page">
      <Folded menu={menu} />
      {children}
    </div>
  </>
);
