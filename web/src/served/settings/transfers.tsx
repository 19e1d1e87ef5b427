// The pages of what people take along: files of their data, imports, and whom they lost by blocks of whole servers.

import { useApp } from "../../app.ts";
import { Act, FieldForm } from "../forms.tsx";
import type { Field } from "../forms.tsx";
import { Below } from "../links.tsx";
import { NoticeLine } from "../notices.tsx";
import { Rows } from "../rows.tsx";
import type { Row } from "../rows.tsx";
import { useText } from "../served.tsx";
import type { ImportLine, Kind, SettingsPages } from "../settings-pages.ts";
import { Timed, When } from "../times.tsx";

const EXPORT = "/settings/export";

type ExportData = SettingsPages["export"];

/** A link to a file. */
const Download = ({ path, of }: { path: string; of?: string }) => {
  const t = useText();
  const label = of && t("export.download_of", { name: of });
  return (
    <a class="button plain" href={path} download aria-label={label}>
      {t("export.download")}
    </a>
  );
};

const Archive = ({ archive, isWaiting, mayAsk }: Omit<ExportData, "files">) => {
  const t = useText();
  const row = (made: NonNullable<ExportData["archive"]>): Row => ({
    id: made.id,
    title: <Timed text="export.archive_of" at={made.madeAt} />,
    lines: [
      <Timed text="export.archive_size" values={{ size: made.megabytes }} at={made.nextAt} />,
    ],
    links: <Download path={`${EXPORT}/archive/${made.id}`} />,
  });
  return (
    <>
      <h2>{t("export.archive")}</h2>
      <p>{t("export.archive_about")}</p>
      {archive && <Rows rows={[row(archive)]} />}
      {isWaiting && <p>{t("export.waiting")}</p>}
      {mayAsk && <FieldForm action={`${EXPORT}/archive`} submit="export.request" />}
    </>
  );
};

export const Export = ({ data: { files, ...archive } }: { data: ExportData }) => {
  const t = useText();
  const { locale } = useApp();
  const number = new Intl.NumberFormat(locale);
  const rows = files.map(({ kind, path, count }): Row => {
    const name = t(`transfer.kind.${kind}`);
    return {
      id: kind,
      title: name,
      lines: [number.format(count)],
      links: <Download path={path} of={name} />,
    };
  });
  return (
    <>
      <p>{t("export.about")}</p>
      <Rows rows={rows} />
      <Archive {...archive} />
    </>
  );
};

const IMPORT = "/settings/import";

const useImportRow = () => {
  const t = useText();
  return ({ id, kind, file_name, state, ...counts }: ImportLine): Row => ({
    id,
    href: `${IMPORT}/${id}`,
    title: t(`transfer.kind.${kind}`),
    lines: [
      file_name,
      t(counts.failed > 0 ? "import.progress_failed" : "import.progress", {
        state: t(`import.state.${state}`),
        done: counts.done,
        total: counts.total,
        failed: counts.failed,
      }),
    ],
  });
};

const importFields = (kinds: readonly Kind[]): readonly Field[] => [
  {
    name: "kind",
    label: "import.kind",
    options: [
      ["", "import.by_name"],
      ...kinds.map((kind) => [kind, `transfer.kind.${kind}`] as const),
    ],
  },
  { name: "file", label: "import.file", type: "file", accept: ".csv,.json,text/csv" },
  {
    name: "mode",
    label: "import.existing",
    as: "radios",
    options: [
      ["merge", "import.merge"],
      ["overwrite", "import.overwrite"],
    ],
  },
];

const archiveFields = (megabytes: number): readonly Field[] => [
  {
    name: "archive",
    label: "import.archive",
    type: "file",
    accept: ".zip,.gz,.tgz,.tar,.json,.csv",
    hint: ["import.archive_hint", { size: megabytes }],
  },
  {
    boxes: [
      { name: "lists", label: "import.archive_lists" },
      { name: "settings", label: "import.archive_settings" },
    ],
  },
];

export const Imports = ({ data }: { data: SettingsPages["imports"] }) => {
  const t = useText();
  const row = useImportRow();
  return (
    <>
      <p>{t("import.about")}</p>
      <FieldForm
        action={IMPORT}
        isUpload
        fields={importFields(data.kinds)}
        values={{ mode: "merge" }}
        submit="import.upload"
      />
      <h2>{t("import.posts")}</h2>
      <p>{t("import.archive_about")}</p>
      <FieldForm
        action={`${IMPORT}/posts`}
        isUpload
        fields={archiveFields(data.megabytes)}
        values={{ lists: true }}
        submit="import.archive_send"
      />
      {data.imports.length > 0 && (
        <>
          <h2>{t("import.own")}</h2>
          <Rows rows={data.imports.map(row)} />
        </>
      )}
    </>
  );
};

type ImportData = SettingsPages["import"];

const Facts = ({ row }: Pick<ImportData, "row">) => {
  const t = useText();
  const { done, failed, removed } = row;
  const parts = [
    t("import.imported", { done }),
    failed > 0 && t("import.failed", { failed }),
    removed > 0 && t("import.removed", { removed }),
  ];
  const rows = [
    {
      id: "file",
      title: row.file_name,
      lines: [t(`transfer.kind.${row.kind}`), t("import.in_file", { count: row.total })],
    },
    {
      id: "state",
      title: t(`import.state.${row.state}`),
      lines: [parts.filter(Boolean).join(", ")],
    },
  ];
  return <Rows rows={rows} />;
};

/** What was left out of an archive. */
const LeftOut = ({ row: { left_out: left } }: Pick<ImportData, "row">) => {
  const t = useText();
  const names = Object.keys(left) as (keyof typeof left)[];
  if (names.length === 0) return null;
  return (
    <>
      <p>{t("import.left_out")}</p>
      <ul class="small">
        {names.map((name) => (
          <li key={name}>{t(`import.left.${name}`, { count: left[name]! })}</li>
        ))}
      </ul>
    </>
  );
};

/** What would be removed, as far as there is room, before somebody starts it. */
const Removal = ({
  kind,
  count,
  names,
}: {
  kind: Kind;
  count: number;
  names: readonly string[];
}) => {
  const t = useText();
  if (count === 0) return <p>{t("import.removes_nothing")}</p>;
  const name = t(`transfer.kind.${kind}`);
  return (
    <>
      <NoticeLine kind="bad">{t("import.will_remove", { name, count })}</NoticeLine>
      <ul class="small">
        {names.map((each) => (
          <li key={each}>
            <code>{each}</code>
          </li>
        ))}
        {count > names.length && <li>…</li>}
      </ul>
    </>
  );
};

/** The first failed lines; the file has all. */
const Failed = ({ id, lines }: { id: string; lines: ImportData["failed"] }) => {
  const t = useText();
  return (
    <>
      <ul class="small">
        {lines.map(({ name, fault }, place) => (
          <li key={place}>
            <code>{name}</code> <span class="soft">{fault}</span>
          </li>
        ))}
      </ul>
      <p>
        <a href={`${IMPORT}/${id}/failures`}>{t("import.failures")}</a>
      </p>
    </>
  );
};

export const Import = ({ data }: { data: ImportData }) => {
  const t = useText();
  const { row, fault, failed, wouldRemove } = data;
  const { id, state, total, finished_at: end } = row;
  return (
    <>
      <Facts row={row} />
      {fault && <NoticeLine kind="bad">{fault}</NoticeLine>}
      {state !== "new" && state !== "done" && (
        <>
          <p>
            <progress max={total} value={row.done + row.failed} aria-label={t("import.bar")} />
          </p>
          <p class="soft small">{t("import.leave")}</p>
        </>
      )}
      {state === "done" && end && (
        <p>
          <Timed text="import.finished" at={end} />
        </p>
      )}
      {row.failed > 0 && <Failed id={id} lines={failed} />}
      <LeftOut row={row} />
      {wouldRemove && <Removal kind={row.kind} {...wouldRemove} />}
      {state !== "done" && (
        <div class="actions">
          {state === "new" && <Act action={`${IMPORT}/${id}/start`} label="import.start" kind="" />}
          <Act action={`${IMPORT}/${id}/cancel`} label="import.cancel" />
        </div>
      )}
      <Below links={[[IMPORT, "import.back"]]} />
    </>
  );
};

const SEVERED = "/settings/severed_relationships";

type Severance = SettingsPages["severed"]["severances"][number];

/** Files of the accounts that were followed, and of the followers. */
const LostFiles = ({ id, target_name: name, following_count, followers_count }: Severance) => {
  const t = useText();
  const file = (which: "following" | "followers", count: number) =>
    count > 0 && (
      <a
        href={`${SEVERED}/${id}/${which}.csv`}
        download
        aria-label={t(`severed.${which}_of`, { name })}
      >
        {t(`severed.${which}`, { count })}
      </a>
    );
  return (
    <>
      {file("following", following_count)} {file("followers", followers_count)}
    </>
  );
};

export const Severed = ({ data: { severances } }: { data: SettingsPages["severed"] }) => {
  const t = useText();
  const rows = severances.map((row) => ({
    id: row.id,
    title: row.target_name,
    lines: [
      <>
        {t(`severed.${row.type}`)}, <When at={row.created_at} />
      </>,
      row.purged ? t("severed.purged") : <LostFiles {...row} />,
    ],
  }));
  return (
    <>
      <p>{t("severed.about")}</p>
      <Rows rows={rows} none="severed.none" />
    </>
  );
};
