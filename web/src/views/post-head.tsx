// The first line of a post: who wrote it and when, and who can see it.

import { visibilityOf } from "../api/visibility.ts";
import type { Visibility } from "../api/visibility.ts";
import { useApp } from "../app.ts";
import { moment } from "../text/time.ts";
import { Icon } from "../elements/icons.tsx";
import type { IconName } from "../elements/icons.tsx";
import { Name, fullHandle, profilePath } from "../elements/names.tsx";
import { postPath } from "./shown-status.ts";
import type { ShownStatus } from "./shown-status.ts";
import { Age } from "../elements/times.tsx";

const AUDIENCE: Record<Visibility, IconName | null> = {
  public: null,
  unlisted: "moon",
  local: "home",
  private: "lock",
  local_followers: "home",
  circle: "people",
  direct: "at",
};

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
  const icon = AUDIENCE[visibility];
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
        {status.edited_at && <span title={t("post.edited")}>*</span>}
        <EndMark status={status} />
      </span>
    </header>
  );
};
