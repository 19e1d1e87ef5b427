// Draws the parts of cards and of pages of settings (part-pages.ts).

import type { ComponentChildren } from "preact";
import { Fields } from "./fields.tsx";
import { Act, FormOf } from "./forms.tsx";
import { Line } from "./inline.tsx";
import { Below, Ways } from "./links.tsx";
import { NoticeLine } from "./notices.tsx";
import type { FormPart, MemberPart } from "./part-pages.ts";
import { useApp } from "../app.ts";

type PartWith<Name extends string> = Extract<MemberPart, Record<Name, unknown>>;

/** A notice stands alone, or with what one can do about it. */
const NoticePart = ({ notice, kind, act }: PartWith<"notice">) =>
  act ? (
    <div class="notice">
      <p>
        <Line of={notice} />
      </p>
      <Act {...act} />
    </div>
  ) : (
    <NoticeLine kind={kind ?? ""}>
      <Line of={notice} />
    </NoticeLine>
  );

const Drawing = ({ drawing, label }: PartWith<"drawing">) => (
  <div
    class="qr"
    role="img"
    aria-label={useApp().t(label)}
    dangerouslySetInnerHTML={{ __html: drawing }}
  />
);

const Progress = ({ progress: [done, total], label }: PartWith<"progress">) => (
  <p>
    <progress max={total} value={done} aria-label={useApp().t(label)} />
  </p>
);

/** A form without the parts around its fields. */
const formAlone = ({ before: _before, after: _after, ...form }: FormPart) => form;

const PasskeyOffer = ({ form, title, without }: PartWith<"without">) => {
  const { t } = useApp();
  return (
    <>
      <div data-with-passkeys hidden>
        <h2>{t(title)}</h2>
        <FormOf {...formAlone(form)} />
      </div>
      <p class="soft" data-without-passkeys>
        {t(without)}
      </p>
    </>
  );
};

const Passkey = ({ passkey, options, form }: PartWith<"options">) => {
  const { t } = useApp();
  const data = {
    "data-passkey": passkey,
    "data-options": options,
    "data-none-used": t("passkey.none_used"),
    "data-on-device": t("passkey.on_device"),
  };
  return (
    <div data-with-passkeys hidden>
      {passkey === "get" && <p class="or">{t("sign_in.or")}</p>}
      <FormOf
        {...formAlone(form)}
        hidden={{ ...form.hidden, credential: "" }}
        data={data}
        after={<p class="fault" role="alert" data-fault hidden />}
      />
    </div>
  );
};

const Captcha = ({ captcha }: PartWith<"captcha">) => (
  <>
    <div class="field h-captcha" data-sitekey={captcha} />
    <noscript>
      <p class="fault">{useApp().t("confirm.captcha_script")}</p>
    </noscript>
  </>
);

export const MemberPartView = ({ part }: { part: MemberPart }): ComponentChildren => {
  if ("notice" in part) return <NoticePart {...part} />;
  if ("below" in part) return <Below {...part} />;
  if ("ways" in part) return <Ways links={part.ways} />;
  if ("drawing" in part) return <Drawing {...part} />;
  if ("progress" in part) return <Progress {...part} />;
  if ("without" in part) return <PasskeyOffer {...part} />;
  if ("passkey" in part) return <Passkey {...part} />;
  if ("captcha" in part) return <Captcha {...part} />;
  if ("fields" in part) return <Fields {...part.fields} />;
  return (
    <p>
      <code class="secret grouped">{part.secret}</code>
    </p>
  );
};
