// Manages block lists that others maintain: preview, subscription, its end, exceptions, and changes.

import type { App } from "../../platform/app.ts";
import { Unprocessable } from "../../platform/errors.ts";
import type { Server } from "../../platform/http/server.ts";
import { addDays } from "../../platform/ids/index.ts";
import { html } from "../../platform/text/html.ts";
import type { Html, HtmlValue } from "../../platform/text/html.ts";
import type { Key, Say } from "../../platform/text/texts.ts";
import { DOMAIN_SEVERITIES } from "../../domain/base/blocklists/tables.ts";
import {
  addDomainList,
  addException,
  changeDomainList,
  getDomainList,
  listChanges,
  listDomainLists,
  listExceptions,
  MAPPED,
  previewDomainList,
  removeDomainList,
  removeException,
  syncDomainList,
} from "../../domain/staff/domain-lists/lists.ts";
import type { ListInput } from "../../domain/staff/domain-lists/lists.ts";
import type { ListPlan } from "../../domain/staff/domain-lists/plan.ts";
import type {
  ChangeRow,
  DomainListRow,
  Mapped,
  Severities,
} from "../../domain/staff/domain-lists/tables.ts";
import { inputField } from "../../domain/people/users/pages/components.ts";
import { whenText } from "../../domain/people/users/pages/when.ts";
import { numberText } from "../../platform/text/figures.ts";
import { formsOf, problemOf } from "./forms.ts";
import { button, editPart, entered, enteredAt, form, idOf, sendAdmin, staffPage } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { addPart, badge, checkbox, empty, select } from "./components.ts";
import { LISTS, serverPath, serverTabs, SEVERITY_NAMES } from "./server-parts.ts";

const READ = ["domain_blocks.read"] as const;
const WRITE = ["domain_blocks.write"] as const;
const TRY = `${LISTS}/try`;
const EXCEPTIONS = `${LISTS}/exceptions`;

const DONE: Record<string, Key> = {
  added: "network.lists.done.added",
  saved: "network.lists.done.saved",
  synced: "network.lists.done.synced",
  removed: "network.lists.done.removed",
  excepted: "network.lists.done.excepted",
  unexcepted: "network.lists.done.unexcepted",
};

const MAPPED_NAMES: Record<Mapped, Key> = { ...SEVERITY_NAMES, skip: "network.lists.skip" };
const OF_LIST: Record<(typeof DOMAIN_SEVERITIES)[number], Key> = {
  suspend: "network.lists.of_suspend",
  silence: "network.lists.of_silence",
  noop: "network.lists.of_noop",
};

type Shown = { url: string; title: string; severities: Severities; retract: boolean };

const NEW: Shown = {
  url: "",
  title: "",
  severities: { suspend: "suspend", silence: "silence", noop: "skip" },
  retract: true,
};

const fields = (
  { t }: Staff,
  { title, severities, retract }: Omit<Shown, "url">,
  of = "new",
): Html => {
  const options = MAPPED.map((value) => ({ value, label: t(MAPPED_NAMES[value]) }));
  return html`${inputField({ name: "title", id: `title-${of}`, label: t("network.lists.name"), value: title, optional: true, maxlength: 200 })}
    <div class="filters">
      ${DOMAIN_SEVERITIES.toReversed().map((name) =>
        select(name, t(OF_LIST[name]), options, severities[name], { id: `${name}-${of}` }),
      )}
    </div>
    <div class="choices">
      ${checkbox("retract", t("network.lists.retract"), retract, `retract-${of}`)}
    </div>`;
};

const inputFrom = (context: Staff): ListInput => {
  const fields = entered(context);
  const severities = Object.fromEntries(
    DOMAIN_SEVERITIES.flatMap((name) => (fields[name] ? [[name, fields[name]]] : [])),
  );
  return { title: fields["title"], severities, retract: fields["retract"] === "1" };
};

/** Returns what was entered, where a new list was tried or refused. */
const enteredList = (context: Staff): Shown | null => {
  const fields = { ...enteredAt(context, LISTS), ...enteredAt(context, TRY) };
  if (Object.keys(fields).length === 0) return null;
  const mapped = (name: keyof Severities): Mapped =>
    MAPPED.find((mapped) => mapped === fields[name]) ?? NEW.severities[name];
  return {
    url: fields["url"] ?? "",
    title: fields["title"] ?? "",
    severities: { suspend: mapped("suspend"), silence: mapped("silence"), noop: mapped("noop") },
    retract: fields["retract"] === "1",
  };
};

const item = (context: Staff, row: DomainListRow): Html => {
  const { t, language } = context;
  const path = `${LISTS}/${row.id}`;
  const of = row.title;
  const read = row.fetched_at
    ? html`${t("network.lists.read")} ${whenText(row.fetched_at, language)}`
    : t("network.lists.unread");
  return html`<li>
    <div class="what">
      <strong>${row.title} ${row.fault !== null && badge(t("network.lists.fault"), "bad")}</strong>
      <span><a href="${row.url}" rel="noopener noreferrer nofollow">${row.url}</a></span>
      ${row.fault !== null && html`<span lang="en">${row.fault}</span>`}
      <span
        >${t("network.lists.servers", { count: row.entries })}, ${read}, ${t("network.lists.again")}
        ${whenText(row.due_at, language)}</span
      >
    </div>
    <div class="buttons">
      ${button(context, { action: `${path}/sync`, label: t("network.lists.sync"), of })}
      ${button(context, { action: `${path}/delete`, label: t("network.lists.unsubscribe"), of, kind: "bad" })}
    </div>
    ${editPart(context, `${path}/update`, fields(context, row, row.id))}
  </li>`;
};

const SHOWN = 50;

const namesText = (rows: readonly { domain: string }[]): string =>
  rows.length === 0
    ? ""
    : `: ${rows
        .slice(0, SHOWN)
        .map(({ domain }) => domain)
        .join(", ")}${rows.length > SHOWN ? " …" : ""}`;

const planPart = ({ t, language }: Staff, plan: ListPlan): Html => {
  const changed = plan.change.map(({ planned }) => planned);
  const rows: [Key, number, string][] = [
    ["network.lists.plan.add", plan.add.length, namesText(plan.add)],
    ["network.lists.plan.change", plan.change.length, namesText(changed)],
    ["network.lists.plan.remove", plan.remove.length, namesText(plan.remove)],
    ["network.lists.plan.kept", plan.kept, ""],
    ["network.lists.plan.covered", plan.covered, ""],
    ["network.lists.plan.unchanged", plan.unchanged, ""],
  ];
  return html`<section class="panel">
    <h2>${t("network.lists.dry_run_title")}</h2>
    <ul>
      ${rows.map(
        ([text, count, more]) =>
          html`<li>${t(text)}: <strong>${numberText(language, count)}</strong>${more}</li>`,
      )}
    </ul>
  </section>`;
};

const CHANGES = { added: "good", changed: "mild", removed: "bad" } as const;

const changeText = (t: Say, { change, severity, before }: ChangeRow): string => {
  const name = (value: ChangeRow["severity"]) => (value ? t(SEVERITY_NAMES[value]) : "");
  return change === "changed" ? `${name(before)} → ${name(severity)}` : name(severity ?? before);
};

const CHANGE_DAYS = 7;

const changesPart = async ({ app, actor, t, language }: Staff): Promise<HtmlValue> => {
  const changes = await listChanges(app, actor, addDays(app.clock.now(), -CHANGE_DAYS));
  return html`<h2>${t("network.lists.changes", { count: CHANGE_DAYS })}</h2>
    ${
      changes.length === 0
        ? empty(t("network.lists.no_changes"))
        : html`<ul class="rows">
            ${changes.slice(0, 200).map(
              (row) =>
                html`<li>
                  <div class="what">
                    <strong
                      ><a href="${serverPath(row.domain)}">${row.domain}</a>
                      ${badge(t(`network.lists.change.${row.change}`), CHANGES[row.change])}</strong
                    >
                    <span
                      >${changeText(t, row)} · ${row.lists.join(", ")} ·
                      ${whenText(row.created_at, language)}</span
                    >
                  </div>
                </li>`,
            )}
          </ul>`
    }`;
};

const exceptionsPart = async (context: Staff): Promise<Html> => {
  const { t } = context;
  const domains = await listExceptions(context.app, context.actor);
  return html`<h2>${t("network.lists.exceptions")}</h2>
    <p class="soft">${t("network.lists.exceptions_about")}</p>
    ${
      domains.length > 0 &&
      html`<ul class="rows">
        ${domains.map(
          (domain) =>
            html`<li>
              <div class="what"><strong>${domain}</strong></div>
              ${button(context, { action: `${EXCEPTIONS}/delete`, label: t("staff.remove"), of: domain, fields: { domain }, kind: "bad" })}
            </li>`,
        )}
      </ul>`
    }
    ${form(
      context,
      EXCEPTIONS,
      html`<div class="filters">
        ${inputField({ name: "domain", label: t("network.servers.server"), value: "", maxlength: 300 })}
        <button class="button">${t("staff.add")}</button>
      </div>`,
    )}`;
};

const subscribeForm = (context: Staff, list: Shown | null): Html => {
  const { t } = context;
  return addPart(
    t("network.lists.subscribe_to"),
    list !== null,
    form(
      context,
      LISTS,
      html`${inputField({
          name: "url",
          label: t("network.lists.address"),
          value: list?.url ?? "",
          maxlength: 2000,
          hint: t("network.lists.format"),
        })}
        ${fields(context, list ?? NEW)}
        <div class="buttons">
          <button class="button plain" formaction="${TRY}">${t("network.dry_run")}</button>
          <button class="button">${t("network.lists.subscribe")}</button>
        </div>`,
    ),
  );
};

const showWith = (plan: ListPlan | null) => async (context: Staff, problem?: string) => {
  const { t } = context;
  const rows = await listDomainLists(context.app, context.actor);
  const list = enteredList(context);
  return sendAdmin(context, {
    title: t("network.servers.title"),
    problem,
    done: DONE,
    body: html`${serverTabs(context, LISTS)}
      <p>${t("network.lists.about")}</p>
      ${plan && planPart(context, plan)} ${subscribeForm(context, list)}
      ${
        rows.length === 0
          ? empty(t("network.lists.none"))
          : html`<ul class="rows">
              ${rows.map((row) => item(context, row))}
            </ul>`
      }
      ${await changesPart(context)} ${await exceptionsPart(context)}`,
  });
};

const show = showWith(null);

/** Shows the page again, with what a subscription would change. */
const showTried = async (context: Staff) => {
  const { app, actor } = context;
  try {
    const url = entered(context)["url"];
    return showWith(await previewDomainList(app, actor, { ...inputFrom(context), url }))(context);
  } catch (error) {
    if (!(error instanceof Unprocessable)) throw error;
    return show(context, problemOf(context.t, error));
  }
};

export const domainListPages = (pages: Server, app: App): void => {
  const take = formsOf(pages, app, LISTS, WRITE, show);
  const withList =
    (work: (context: Staff, list: DomainListRow) => Promise<unknown>) => async (context: Staff) =>
      work(context, await getDomainList(app, context.actor, idOf(context)));
  const domain = (context: Staff) => entered(context)["domain"] ?? "";
  pages.get(LISTS, staffPage(app, READ, show));
  pages.post(TRY, staffPage(app, WRITE, showTried));
  take(LISTS, "added", (context) =>
    addDomainList(app, context.actor, { ...inputFrom(context), url: entered(context)["url"] }),
  );
  take(
    `${LISTS}/:id/update`,
    "saved",
    withList((context, list) => changeDomainList(app, context.actor, list, inputFrom(context))),
  );
  take(
    `${LISTS}/:id/sync`,
    "synced",
    withList(({ actor }, list) => syncDomainList(app, actor, list)),
  );
  take(
    `${LISTS}/:id/delete`,
    "removed",
    withList(({ actor }, list) => removeDomainList(app, actor, list)),
  );
  take(EXCEPTIONS, "excepted", (context) => addException(app, context.actor, domain(context)));
  take(`${EXCEPTIONS}/delete`, "unexcepted", (context) =>
    removeException(app, context.actor, domain(context)),
  );
};
