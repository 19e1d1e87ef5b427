// A form that acts on a hashtag, with scripts or without.

import { useApp } from "../app.ts";
import type { Key } from "../texts/texts.ts";
import { FormFields } from "../elements/form-fields.tsx";

type Props = {
  name: string;
  act: "follow" | "unfollow" | "mute" | "unmute";
  children: preact.ComponentChildren;
};

/** Acts that are said, since they can be taken back. */
const DONE: Partial<Record<Props["act"], Key>> = {
  unfollow: "tag.unfollowed",
  mute: "tag.mute_done",
};

export const TagForm = ({ name, act, children }: Props) => {
  const { t } = useApp();
  const key = DONE[act];
  const done = key ? t(key, { name }) : "";
  return (
    <form
      method="post"
      action={`/web/act/tags/${encodeURIComponent(name)}/${act}`}
      data-act="save"
      data-done={done}
    >
      <FormFields done={done} />
      {children}
    </form>
  );
};
