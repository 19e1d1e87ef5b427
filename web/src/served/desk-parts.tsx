// Draws the parts that only the staff's pages have (part-pages.ts).

import type { ComponentChildren } from "preact";
import { ChartFigure, Cohorts, Shares } from "./charts.tsx";
import { Fields } from "./fields.tsx";
import { Form, Submits } from "./forms.tsx";
import { Line } from "./inline.tsx";
import type { DeskPart, EmojiItem, MemberPart } from "./part-pages.ts";
import { useServed, useWords } from "./served.tsx";

type PartWith<Name extends string> = Extract<DeskPart, Record<Name, unknown>>;

const EmojiRow = ({ emoji: { shortcode, picture, isTicked, about } }: { emoji: EmojiItem }) => {
  const name = `emoji_${shortcode}`;
  const { refused } = useServed();
  const isChosen = isTicked || refused?.fields?.[name] !== undefined;
  return (
    <li>
      <div class="check">
        <input type="checkbox" id={name} name={name} value="1" checked={isChosen} />
        <label for={name}>
          <img class="emoji large" src={picture} alt="" loading="lazy" />
          <span class="what">
            <strong>:{shortcode}:</strong>{" "}
            <span>
              <Line of={about} />
            </span>
          </span>
        </label>
      </div>
    </li>
  );
};

const EmojiItems = ({ emojis }: PartWith<"emojis">) => (
  <ul class="rows emoji-rows">
    {emojis.map((emoji) => (
      <EmojiRow key={emoji.shortcode} emoji={emoji} />
    ))}
  </ul>
);

const SubmitBar = ({ submits, title, field, with: button }: PartWith<"submits">) => {
  const words = useWords()(title);
  return (
    <div class="bulk" role="group" aria-label={words}>
      <strong aria-hidden="true">{words}</strong>
      <Submits buttons={submits} />
      <Fields fields={[field]} of="new" />
      <Submits buttons={[button]} />
    </div>
  );
};

const Tiles = ({ tiles }: PartWith<"tiles">) => (
  <ul class="tiles">
    {tiles.map(({ path, count, text, wants }) => (
      <li key={path} class={wants ? "wants" : ""}>
        <a href={path}>
          <strong>{count}</strong>
          <span>{text}</span>
        </a>
      </li>
    ))}
  </ul>
);

/** Id of the form that resets settings: Enter in a field of the settings' own form presses that one's button. */
const RESETS = "resets";

const SettingView = ({ setting }: PartWith<"setting">) => {
  const { field, values, isFlag, hint, origin, reset } = setting;
  const say = useWords();
  return (
    <div class="setting">
      {isFlag && <input type="hidden" name={`with_${Object.keys(values)[0]}`} value="1" />}
      <Fields fields={[field]} values={values} />
      {hint && <p class="hint">{say(hint)}</p>}
      {origin && (
        <p class="origin">
          <Line of={origin} />{" "}
          {reset && (
            <button
              class="link-button"
              form={RESETS}
              name="reset"
              value={reset.name}
              aria-label={say(reset.label)}
            >
              {say("staff.origin.reset")}
            </button>
          )}
        </p>
      )}
    </div>
  );
};

const KINDS = [
  "tiles",
  "emojis",
  "submits",
  "picture",
  "setting",
  "resets",
  "chart",
  "shares",
  "cohorts",
];

export const isDesk = (part: DeskPart | MemberPart): part is DeskPart =>
  KINDS.some((kind) => kind in part);

export const DeskPartView = ({ part }: { part: DeskPart }): ComponentChildren => {
  if ("tiles" in part) return <Tiles {...part} />;
  if ("emojis" in part) return <EmojiItems {...part} />;
  if ("submits" in part) return <SubmitBar {...part} />;
  if ("setting" in part) return <SettingView {...part} />;
  if ("resets" in part) return <Form id={RESETS} action={part.resets} />;
  if ("chart" in part) return <ChartFigure {...part} />;
  if ("shares" in part) return <Shares {...part} />;
  if ("cohorts" in part) return <Cohorts {...part} />;
  return <img class={`site-picture ${part.kind}`} src={part.picture} alt={part.alt} />;
};
