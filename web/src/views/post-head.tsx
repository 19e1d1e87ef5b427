// The first line of a post: who wrote it and when, and who can see it.

import { visibilityOf } from "../api/visibility.ts";
import { useApp } from "../app.ts";
import { moment } from "../text/time.ts";
import { AUDIENCE_ICONS } from "../elements/audience-icons.ts";
import { Icon } from "../elements/icons.tsx";
import { Name, fullHandle, profilePath } from "../elements/names.tsx";
import { postPath } from "./shown-status.ts";
import type { ShownStatus } from "./shown-status.ts";
import { Age } from "../elements/times.tsx";

const EndMark = ({ status: { expires_at: end } }: { status: ShownStatus }) => {
  const { locale, t } = useApp();
  if (!end) return null;
  const text = t("post.ends", { time: moment(locale, end) });
  return (
    <span class="post-end" title={text}>
      <Icon name="clock" />
      <span class="invisible">{text}</span>
    </span>
  );
};

export const PostHead = ({ status }: { status: ShownStatus }) => {
  const { site, t } = useApp();
  const { account } = status;
  const visibility = visibilityOf(status);
  const icon = visibility === "public" ? null : AUDIENCE_ICONS[visibility];
  return (
    <header class="post-head">
      <a class="post-author" href={profilePath(account)}>
        <strong>
          <Name account={account} />
        </strong>{" "}
        <span class="handle" title={fullHandle(account, site.domain)}>
          @{account.acct}
        </span>
      </a>
      <span class="post-meta">
        {icon && (
          <span title={t(`visibility.${visibility}`)}>
            <Icon name={icon} />
            <span class="invisible">{t(`visibility.${visibility}`)}</span>
          </span>
        )}
        <a class="post-time" href={postPath(status)}>
          <Age time={status.created_at} />
        </a>
        {status.edited_at && <span class="post-edited">{t("post.edited")}</span>}
        <EndMark status={status} />
      </span>
    </header>
  );
};
