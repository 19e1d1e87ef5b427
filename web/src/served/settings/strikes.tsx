// The pages on which people read what the moderators decided about their account, and appeal.

import { FieldForm } from "../forms.tsx";
import { Below } from "../links.tsx";
import { Rows } from "../rows.tsx";
import { useText } from "../served.tsx";
import type { SettingsPages } from "../settings-pages.ts";
import { Timed, When } from "../times.tsx";

const DISPUTES = "/disputes/strikes";

export const Strikes = ({ data: { strikes } }: { data: SettingsPages["strikes"] }) => {
  const t = useText();
  const rows = strikes.map(({ id, title, created_at, state }) => ({
    id,
    href: `${DISPUTES}/${id}`,
    title,
    lines: [<When at={created_at} />, state],
  }));
  return (
    <>
      {rows.length > 0 && <p>{t("strikes.all")}</p>}
      <Rows rows={rows} none="strikes.none" />
    </>
  );
};

type StrikeData = SettingsPages["strike"];

const Posts = ({ posts, areRemoved }: Pick<StrikeData, "posts" | "areRemoved">) => {
  const t = useText();
  return (
    <>
      <h2>{t(areRemoved ? "strikes.removed_posts" : "strikes.posts")}</h2>
      <ul class="rows">
        {posts.map(({ url, text, at }, place) => (
          <li key={place}>
            <span class="soft small">
              {url ? (
                <a href={url}>
                  <When at={at} />
                </a>
              ) : (
                <When at={at} />
              )}
            </span>
            <p>{text || t("strikes.no_text")}</p>
          </li>
        ))}
      </ul>
    </>
  );
};

/** Until when one may appeal, and the form. */
const AppealForm = ({ id, appealUntil, maxAppeal }: StrikeData & { appealUntil: Date }) => {
  const t = useText();
  return (
    <>
      <h2>{t("strikes.appeal")}</h2>
      <p>
        <Timed text="strikes.appeal_text" at={appealUntil} />
      </p>
      <FieldForm
        action={`${DISPUTES}/${id}/appeal`}
        fields={[{ name: "text", label: "strikes.why", type: "textarea", max: maxAppeal }]}
        submit="strikes.send"
      />
    </>
  );
};

export const Strike = ({ data }: { data: StrikeData }) => {
  const t = useText();
  const { about, text, created_at, posts, appeal, state, appealUntil } = data;
  return (
    <>
      <p>{about}</p>
      <p class="soft small">
        <When at={created_at} />
      </p>
      {text && <p class="notice">{text}</p>}
      {posts.length > 0 && <Posts {...data} />}
      {appealUntil && <AppealForm {...data} appealUntil={appealUntil} />}
      {!appealUntil && appeal !== null && (
        <>
          <h2>{t("strikes.own")}</h2>
          <p>{appeal}</p>
          <p>
            <strong>{state}.</strong>
          </p>
        </>
      )}
      <Below links={[[DISPUTES, "strikes.list"]]} />
    </>
  );
};
