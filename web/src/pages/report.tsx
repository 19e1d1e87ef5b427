// Reports a person to the moderators: why, which rules, which posts, and whether their server is told as well.

import type { Instance, Rule, Status } from "../api/entities.ts";
import { useApp } from "../app.ts";
import { plainText } from "../text/parse-html.ts";
import type { Key } from "../texts/texts.ts";
import { plainName } from "../elements/names.tsx";
import { Decision } from "../elements/decision.tsx";
import { InputField } from "../elements/fields.tsx";
import { SendForm } from "../elements/send-form.tsx";
import { Ago } from "../elements/times.tsx";
import { loadAccount } from "./profile.tsx";
import { usePerson } from "./relations.tsx";
import { sheetPage } from "./sheet-page.tsx";

type Post = { id: string; text: string; time: string };
type Report = { id: string; rules: Rule[]; posts: Post[]; chosen: string | null };

const CATEGORIES: readonly [value: string, text: Key][] = [
  ["spam", "report.spam"],
  ["legal", "report.legal"],
  ["violation", "report.violation"],
  ["other", "report.other"],
];

const postOf = ({ id, spoiler_text, content, created_at, media_attachments }: Status): Post => ({
  id,
  time: created_at,
  text:
    (spoiler_text || plainText(content ?? "")).slice(0, 200) ||
    media_attachments.map(({ description, type }) => description || type).join(", "),
});

const Rules = ({ rules }: { rules: Rule[] }) => {
  const { t, locale } = useApp();
  if (rules.length === 0) return null;
  return (
    <fieldset class="report-rules">
      <legend>{t("report.rules")}</legend>
      {rules.map(({ id, text, translations }) => (
        <label key={id} class="tick">
          <input type="checkbox" name="rule_ids[]" value={id} />
          <span>{translations?.[locale]?.text ?? text}</span>
        </label>
      ))}
    </fieldset>
  );
};

const Posts = ({ posts, chosen }: Pick<Report, "posts" | "chosen">) => {
  const { t } = useApp();
  if (posts.length === 0) return null;
  return (
    <fieldset>
      <legend>{t("report.posts")}</legend>
      {posts.map(({ id, text, time }) => (
        <label key={id} class="tick">
          <input type="checkbox" name="status_ids[]" value={id} defaultChecked={id === chosen} />
          <span dir="auto">
            {text}{" "}
            <span class="soft small">
              <Ago time={time} />
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
};

const Body = ({ data }: { data: Report }) => {
  const { t } = useApp();
  const { account, values, path } = usePerson(data.id);
  const domain = account.acct.split("@")[1];
  return (
    <SendForm path="reports" back={path} done={t("report.done")} class="choices report">
      <p>{t("report.text", values)}</p>
      <input type="hidden" name="account_id" value={data.id} />
      <fieldset>
        <legend>{t("report.why")}</legend>
        {CATEGORIES.map(([value, text], index) => (
          <label key={value} class="tick">
            <input type="radio" name="category" value={value} defaultChecked={index === 0} />
            <span>{t(text)}</span>
          </label>
        ))}
      </fieldset>
      <Rules rules={data.rules} />
      <Posts posts={data.posts} chosen={data.chosen} />
      <InputField
        name="comment"
        label={t("report.comment")}
        type="textarea"
        rows={3}
        maxLength={1000}
        dir="auto"
      />
      {domain && (
        <label class="tick">
          <input type="checkbox" name="forward" value="true" />
          <span>{t("report.forward", { domain })}</span>
        </label>
      )}
      <Decision back={path}>{t("report.send")}</Decision>
    </SendForm>
  );
};

export const reportPage = sheetPage<Report>({
  path: "/@:acct/report",
  load: async (loading) => {
    const { get, place } = loading;
    const { id } = await loadAccount(loading);
    const chosen = place.query["status"] ?? null;
    const [instance, recent, status] = await Promise.all([
      get<Instance>("/api/v2/instance"),
      get<Status[]>(`/api/v1/accounts/${id}/statuses`, { limit: 10, exclude_reblogs: true }),
      chosen && /^\d+$/.test(chosen) ? get<Status>(`/api/v1/statuses/${chosen}`) : null,
    ]);
    const first = status && status.body.account.id === id ? [status.body] : [];
    const others = recent.body.filter((status) => status.id !== chosen);
    return { id, rules: instance.body.rules, posts: [...first, ...others].map(postOf), chosen };
  },
  title: ({ id }, { t, store }) =>
    t("report.title", { name: plainName(store.accounts.get(id)!.value) }),
  Body,
});
