// Draws pages that the server declares as a list of parts (part-pages.ts), which most pages of the staff are.

import type { ComponentChildren } from "preact";
import { useApp } from "../app.ts";
import { Name, Picture, fullHandle } from "../elements/names.tsx";
import { RichText } from "../text/rich-text.tsx";
import { Post } from "../views/post.tsx";
import { DeskPartView, isDesk } from "./desk-parts.tsx";
import { AddForm, EditForm, Filters, FormOf } from "./forms.tsx";
import { Line } from "./inline.tsx";
import { KeyList } from "./keys.tsx";
import { MemberPartView } from "./member-parts.tsx";
import type { No, Part } from "./part-pages.ts";
import { Discard } from "../elements/discard.tsx";
import { NoticeLine, REFUSAL } from "./notices.tsx";
import { isRefused } from "./refused.ts";
import { Acts, Empty, Older, Rows } from "./rows.tsx";
import { useServed, useWords } from "./served.tsx";
import { Several, TickBox } from "./several.tsx";
import { Table } from "./table.tsx";
import { SectionTabs } from "./tabs.tsx";
import { Badge } from "./badges.tsx";

/** A part with this property. */
type PartWith<Name extends string> = Extract<Part, Record<Name, unknown>>;

/** Draws somebody, with a link to their profile where they are at home. */
const Who = ({ who: account }: PartWith<"who">) => {
  const { site } = useApp();
  const handle = fullHandle(account, site.domain);
  return (
    <div class="who">
      <Picture account={account} />
      <div>
        <strong>
          <Name account={account} />
        </strong>{" "}
        <span>
          <Line of={account.url ? { link: account.url, text: handle, isOutside: true } : handle} />
        </span>
      </div>
    </div>
  );
};

const Facts = ({ facts }: PartWith<"facts">) => {
  const say = useWords();
  const shown = facts.filter((fact) => !!fact);
  return (
    shown.length > 0 && (
      <dl class="details-list">
        {shown.flatMap(([name, value], place) => [
          <dt key={`${place} name`}>{say(name)}</dt>,
          <dd key={place}>
            <Line of={value} />
          </dd>,
        ])}
      </dl>
    )
  );
};

const isRich = (
  quote: PartWith<"quote">["quote"],
): quote is Extract<typeof quote, { html: string }> =>
  typeof quote === "object" && quote !== null && "html" in quote;

const Quote = ({ quote, soft }: PartWith<"quote">) => (
  <blockquote class="quote">
    {isRich(quote) ? (
      <RichText html={quote.html} emojis={quote.account.emojis} />
    ) : (
      quote && (
        <p>
          <Line of={quote} />
        </p>
      )
    )}
    {soft && (
      <p class="soft small">
        <Line of={soft} />
      </p>
    )}
  </blockquote>
);

/** Draws a whole post as the client does, with links to files that are only fetched on demand. */
const Judged = ({ post, files, about }: PartWith<"post">) => (
  <div class="judged">
    <Post status={post} withoutActs />
    {files.map((file, place) => (
      <p key={place}>
        <Line of={file} />
      </p>
    ))}
    <p class="soft small">
      <Line of={about} />
    </p>
  </div>
);

/** Draws parts to be unfolded; they are open where a form within them was just refused. */
const Fold = ({ fold, parts, kind = "add", open }: PartWith<"fold">) => {
  const { refused } = useServed();
  const say = useWords();
  return (
    <details class={kind} open={open || isRefused(parts, refused)}>
      <summary>{say(fold)}</summary>
      <Parts parts={parts} />
    </details>
  );
};

const Items = ({ items, kind }: PartWith<"items">) => {
  const List = kind === "rules" ? "ol" : "ul";
  return (
    <List class={kind}>
      {items.map((item, place) => (
        <li key={place}>
          <Line of={item} />
        </li>
      ))}
    </List>
  );
};

const FormPartView = ({ form }: PartWith<"form">) => (
  <FormOf {...form} before={<Parts parts={form.before} />} after={<Parts parts={form.after} />} />
);

const Heading = ({ heading, anchor, badge }: PartWith<"heading">) => (
  <h2 id={anchor}>
    {useWords()(heading)}
    {badge && " "}
    <Line of={badge} />
  </h2>
);

const Subheading = ({ subheading }: PartWith<"subheading">) => <h3>{useWords()(subheading)}</h3>;

const Steps = ({ steps }: PartWith<"steps">) => (
  <ol class="steps">
    {steps.map(({ title, done, parts }, place) => (
      <li key={title} class={done ? "done" : ""}>
        <span class="mark" aria-hidden="true">
          {done ? "✓" : place + 1}
        </span>
        <strong>
          {title} {done && <Badge badge="staff.steps.done" kind="good" />}
        </strong>
        <div>
          <Parts parts={parts} />
        </div>
      </li>
    ))}
  </ol>
);

const Panel = ({ panel, kind, anchor, isEntry, label }: PartWith<"panel">) => {
  const say = useWords();
  return (
    <section
      class={kind ? `panel ${kind}` : "panel"}
      id={anchor}
      aria-label={label && say(label)}
      data-entry={isEntry ? "" : undefined}
    >
      <Parts parts={panel} />
    </section>
  );
};

const PartView = ({ part }: { part: Part }): ComponentChildren => {
  if ("text" in part)
    return (
      <p class={part.isSoft ? "soft" : part.kind}>
        <Line of={part.text} />
      </p>
    );
  if ("heading" in part) return <Heading {...part} />;
  if ("fault" in part) return <p class="fault">{part.fault}</p>;
  if ("subheading" in part) return <Subheading {...part} />;
  if ("tabs" in part) return <SectionTabs {...part} />;
  if ("add" in part) return <AddForm {...part.add} before={<Parts parts={part.add.before} />} />;
  if ("edit" in part) return <EditForm {...part.edit} />;
  if ("fold" in part) return <Fold {...part} />;
  if ("filters" in part) return <Filters {...part.filters} />;
  if ("rows" in part) return <Rows {...part} />;
  if ("table" in part)
    return part.table.rows.length > 0 ? <Table {...part.table} /> : <Empty text={part.none} />;
  if ("panel" in part) return <Panel {...part} />;
  if ("beside" in part)
    return (
      <div class={part.kind} data-entry={part.isEntry ? "" : undefined}>
        <Parts parts={part.beside} />
      </div>
    );
  if ("who" in part) return <Who {...part} />;
  if ("facts" in part) return <Facts {...part} />;
  if ("quote" in part) return <Quote {...part} />;
  if ("form" in part && !("passkey" in part)) return <FormPartView {...part} />;
  if ("acts" in part) return <Acts {...part} />;
  if ("post" in part) return <Judged {...part} />;
  if ("several" in part) return part.several.ids.length > 0 && <Several {...part.several} />;
  if ("keys" in part) return <KeyList keys={part.keys} />;
  if ("older" in part) return <Older than={part.older} {...part} />;
  if ("steps" in part) return <Steps {...part} />;
  if ("note" in part) return <Empty text={part.note} />;
  if ("tick" in part) return <TickBox {...part.tick} />;
  if ("none" in part) return <Empty text={part.none} />;
  if ("items" in part) return <Items {...part} />;
  if ("block" in part)
    return (
      <div class="text program" dir="ltr">
        <pre>
          <code translate={false}>{part.block}</code>
        </pre>
      </div>
    );
  if (!("links" in part))
    return isDesk(part) ? <DeskPartView part={part} /> : <MemberPartView part={part} />;
  return (
    <p class={part.kind}>
      <Line of={part.links} />
    </p>
  );
};

const Parts = ({ parts }: { parts: readonly (Part | No)[] | undefined }) => (
  <>{parts?.map((part, place) => part && <PartView key={place} part={part} />)}</>
);

/** Draws what the page says of what was just done or refused, and its parts. */
export const ServedParts = () => {
  const { parts, notice, refused, staff } = useServed();
  // Staff go on from what they have just done; pages of people begin at a field.
  const autofocus = staff !== undefined && notice?.kind === "good";
  return (
    <>
      {notice && (
        <NoticeLine
          id={notice.kind === "bad" ? REFUSAL : undefined}
          kind={notice.kind}
          autofocus={autofocus}
        >
          {notice.text}
          <Discard refused={refused} />
        </NoticeLine>
      )}
      <Parts parts={parts} />
    </>
  );
};
