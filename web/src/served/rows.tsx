// Lists on the server's own pages: rows with badges, lines and buttons, and the link to older entries.

import { useApp } from "../app.ts";
import { Badges } from "./badges.tsx";
import { Act, EditForm, EditOnDemand } from "./forms.tsx";
import { isSome, Line } from "./inline.tsx";
import type { ActButton, Inline, Row } from "./part-pages.ts";
import { useWords } from "./served.tsx";
import type { Key, Words } from "./served.tsx";
import { TickBox } from "./several.tsx";

export const Empty = ({ text }: { text: Words }) => <p class="soft">{useWords()(text)}</p>;

const What = ({ title, badges = [], lines = [] }: Pick<Row, "title" | "badges" | "lines">) => (
  <>
    {isSome(title) && (
      <strong>
        <Line of={title} />
        {badges.some(Boolean) && " "}
        <Badges all={badges} />
      </strong>
    )}
    {lines.filter(isSome).map((line, place) => (
      <span key={place}>
        <Line of={line} />
      </span>
    ))}
  </>
);

const isAct = (act: ActButton | Inline): act is ActButton =>
  typeof act === "object" && act !== null && "action" in act;

/** Draws buttons and links beside each other. */
export const Acts = ({ acts }: { acts: readonly (ActButton | Inline)[] }) => {
  const shown = acts.filter((act) => !!act);
  return (
    shown.length > 0 && (
      <div class="buttons">
        {shown.map((act, place) =>
          isAct(act) ? <Act key={place} {...act} /> : <Line key={place} of={act} />,
        )}
      </div>
    )
  );
};

/** `id` makes ids unique where the row has none. */
const RowView = ({ row, id }: { row: Row; id: string }) => {
  const { anchor, tick, href, isEntry, acts = [], edit, editOnDemand, ...what } = row;
  return (
    <li id={anchor} data-entry={isEntry ? "" : undefined}>
      {tick && <TickBox {...tick} />}
      {href ? (
        <a class="to what" data-open={isEntry ? "" : undefined} href={href}>
          <What {...what} />
        </a>
      ) : (
        <div class="what">
          <What {...what} />
        </div>
      )}
      <Acts acts={acts} />
      {edit && <EditForm of={id} {...edit} />}
      {editOnDemand && <EditOnDemand id={id} {...editOnDemand} />}
    </li>
  );
};

/** Draws the rows, or the text that there are none. */
export const Rows = ({ rows, none, kind }: { rows: readonly Row[]; none?: Words; kind?: string }) =>
  rows.length === 0 ? (
    none && <Empty text={none} />
  ) : (
    <ul class={kind ? `rows ${kind}` : "rows"}>
      {rows.map((row, place) => {
        const { id = String(place) } = row;
        return <RowView key={id} row={row} id={id} />;
      })}
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
  const { t } = useApp();
  const address = useAddress();
  return (
    than && (
      <p class="pager">
        <a href={address({ max_id: than })}>{t(label)}</a>
      </p>
    )
  );
};
