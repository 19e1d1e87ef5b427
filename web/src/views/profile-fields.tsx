// Edits the fields of a profile as rows of a form; with scripts they can be reordered by dragging or by buttons.

import { useState } from "preact/hooks";
import { useApp } from "../app.ts";
import { profilePath } from "../elements/names.tsx";
import { TextField } from "./settings-form.tsx";

export type EditedField = { name: string; value: string; verified_at: string | null };

type Row = EditedField & { key: number };

const EMPTY: EditedField = { name: "", value: "", verified_at: null };

/** Returns the rows with one of them moved. */
export const moved = <T,>(rows: readonly T[], from: number, to: number): T[] => {
  const rest = rows.toSpliced(from, 1);
  return to < 0 || to > rest.length ? [...rows] : rest.toSpliced(to, 0, rows[from]!);
};

/** Draws a row. Rows are moved as elements, so that their typed text moves along. */
const FieldRow = ({
  row,
  index,
  last,
  move,
  drag,
}: {
  row: Row;
  index: number;
  last: number;
  move: (from: number, to: number) => void;
  drag: { from: number };
}) => {
  const { t } = useApp();
  const name = (part: string): string => `fields_attributes[${index}][${part}]`;
  return (
    <div
      class="settings-keyword"
      draggable
      onDragStart={() => (drag.from = index)}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        move(drag.from, index);
      }}
    >
      <TextField
        name={name("name")}
        label={t("settings.field_name")}
        value={row.name}
        maxLength={255}
      />
      <TextField
        name={name("value")}
        label={t("settings.field_value")}
        value={row.value}
        maxLength={255}
      />
      <span class="settings-order">
        <button
          type="button"
          class="icon-button"
          aria-label={t("settings.field_up")}
          aria-disabled={index === 0 ? true : undefined}
          onClick={() => move(index, index - 1)}
        >
          ↑
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label={t("settings.field_down")}
          aria-disabled={index === last ? true : undefined}
          onClick={() => move(index, index + 1)}
        >
          ↓
        </button>
      </span>
      {row.verified_at && <span class="small verified">✓ {t("settings.field_verified")}</span>}
    </div>
  );
};

export const ProfileFields = ({ fields, most }: { fields: EditedField[]; most: number }) => {
  const { t, me } = useApp();
  const [rows, setRows] = useState<Row[]>(() =>
    Array.from({ length: Math.max(most, fields.length) }, (_row, key) => ({
      ...(fields[key] ?? EMPTY),
      key,
    })),
  );
  const [drag] = useState({ from: 0 });
  return (
    <>
      {rows.map((row, index) => (
        <FieldRow
          key={row.key}
          row={row}
          index={index}
          last={rows.length - 1}
          drag={drag}
          move={(from, to) => setRows(moved(rows, from, to))}
        />
      ))}
      <p class="soft small">{t("settings.fields_hint")}</p>
      {me && <code>{`<a rel="me" href="${me.url ?? profilePath(me)}">`}</code>}
    </>
  );
};
