// Lists on the server's own pages: rows with badges, lines and buttons, and the link to older entries.

import type { ComponentChildren } from "preact";
import { useApp } from "../app.ts";
import { Act, EditForm, EditOnDemand } from "./forms.tsx";
import type { ActProps, EditProps } from "./forms.tsx";
import { useText, useWords } from "./served.tsx";
import type { Key, Words } from "./served.tsx";

type No = false | null | undefined | "" | 0;

export type BadgeKind = "" | "mild" | "bad" | "good";

export type BadgeOf = readonly [words: Words, kind?: BadgeKind];

const Badge = ({ of: [words, kind = "mild"] }: { of: BadgeOf }) => (
  <span class={`badge ${kind}`}>{useWords()(words)}</span>
);

/** Draws those that are not left out, with spaces between them. */
export const Badges = ({ all }: { all: readonly (BadgeOf | No)[] }) => (
  <>
    {all
      .filter((badge) => !!badge)
      .map((badge, place) => (
        <>
          {place > 0 && " "}
          <Badge of={badge} />
        </>
      ))}
  </>
);

export const Empty = ({ text }: { text: Words }) => <p class="soft">{useWords()(text)}</p>;

export type Row = {
  id: string;
  /** Where the whole row leads. */
  href?: string;
  title: ComponentChildren;
  badges?: readonly (BadgeOf | No)[];
  lines?: readonly ComponentChildren[];
  /** Links before the buttons. */
  links?: ComponentChildren;
  acts?: readonly (ActProps | No)[];
  edit?: EditProps | No;
  /** The form of a long text, shown on demand in the list of this path. */
  editOnDemand?: Omit<Parameters<typeof EditOnDemand>[0], "id">;
};

/** The button that removes an entry. */
export const removal = (path: string, of: string, label: Words = "staff.remove"): ActProps => ({
  action: `${path}/delete`,
  label,
  of,
  kind: "bad",
});

const isSome = (line: ComponentChildren): boolean =>
  line !== null && line !== undefined && line !== false && line !== "" && line !== 0;

const RowView = ({ row }: { row: Row }) => {
  const { id, href, title, badges = [], lines = [], links, acts = [], edit, editOnDemand } = row;
  const shown = acts.filter((act) => !!act);
  const what = (
    <>
      <strong>
        {title}
        {badges.some(Boolean) && " "}
        <Badges all={badges} />
      </strong>
      {lines.filter(isSome).map((line, place) => (
        <span key={place}>{line}</span>
      ))}
    </>
  );
  return (
    <li>
      {href ? (
        <a class="to what" href={href}>
          {what}
        </a>
      ) : (
        <div class="what">{what}</div>
      )}
      {(shown.length > 0 || links) && (
        <div class="buttons">
          {links}
          {shown.map((act) => (
            <Act key={act.action} {...act} />
          ))}
        </div>
      )}
      {edit && <EditForm of={id} {...edit} />}
      {editOnDemand && <EditOnDemand id={id} {...editOnDemand} />}
    </li>
  );
};

/** Draws the rows, or the text that there are none. */
export const Rows = ({ rows, none }: { rows: readonly Row[]; none?: Words }) =>
  rows.length === 0 ? (
    none && <Empty text={none} />
  ) : (
    <ul class="rows">
      {rows.map((row) => (
        <RowView key={row.id} row={row} />
      ))}
    </ul>
  );

/** Returns the address of this page with another query; what was just done is not said again. */
const useAddress = (): ((change: Record<string, string | null>) => string) => {
  const { place } = useApp();
  return (change) => {
    const query: Record<string, string | null> = { ...place.query, done: null, ...change };
    const kept = Object.entries(query).filter((entry): entry is [string, string] => !!entry[1]);
    return kept.length > 0 ? `${place.path}?${new URLSearchParams(kept)}` : place.path;
  };
};

/** Draws a link to entries older than this id, unless the page has all of them. */
export const Older = ({ than, label = "staff.older" }: { than: string | null; label?: Key }) => {
  const t = useText();
  const address = useAddress();
  return (
    than && (
      <p class="pager">
        <a href={address({ max_id: than })}>{t(label)}</a>
      </p>
    )
  );
};
