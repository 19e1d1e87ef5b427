// Lists of the server's own pages in columns, some of which the list can be sorted by. Narrow screens show a card for
// each row, with the columns' names in it.

import { Line } from "./inline.tsx";
import type { Column, TablePart } from "./part-pages.ts";
import { useWords } from "./served.tsx";
import { TickBox } from "./several.tsx";

const Head = ({ column: { label, sort, isNumber } }: { column: Column }) => {
  const text = useWords()(label);
  return (
    <th
      scope="col"
      role="columnheader"
      class={isNumber ? "number" : undefined}
      aria-sort={sort && (sort.direction ?? "none")}
    >
      {sort ? <a href={sort.href}>{text}</a> : text}
    </th>
  );
};

type RowProps = { row: TablePart["rows"][number]; columns: readonly Column[] };

const RowView = ({ row: { cells, tick }, columns }: RowProps) => {
  const say = useWords();
  return (
    <tr role="row" data-entry={tick ? "" : undefined}>
      {tick && (
        <td role="cell">
          <TickBox {...tick} />
        </td>
      )}
      {columns.map(({ label, isNumber }, place) => (
        <td
          key={place}
          role={place === 0 ? "rowheader" : "cell"}
          class={isNumber ? "number" : undefined}
          data-label={say(label)}
        >
          <Line of={cells[place]} />
        </td>
      ))}
    </tr>
  );
};

/** Roles are named because browsers see no table once narrow screens show it as cards. */
export const Table = ({ kind, label, columns, rows }: TablePart) => {
  const say = useWords();
  return (
    <div class={`${kind.split(" ")[0]}-box`}>
      <table class={kind} role="table" aria-label={label && say(label)}>
        <thead role="rowgroup">
          <tr role="row">
            {rows[0]?.tick && <td role="cell" />}
            {columns.map((column, place) => (
              <Head key={place} column={column} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <RowView key={row.id} row={row} columns={columns} />
          ))}
        </tbody>
      </table>
    </div>
  );
};
