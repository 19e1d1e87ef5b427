// Draws the parts of a line that the server declares (part-pages.ts).

import { Fragment } from "preact";
import type { ComponentChildren } from "preact";
import type { Account } from "../api/entities.ts";
import { useApp } from "../app.ts";
import { Name, Picture } from "../elements/names.tsx";
import type { Inline } from "./part-pages.ts";
import { Badge } from "./badges.tsx";
import { Copyable } from "./copyable.tsx";
import { pageDirection } from "../text/direction.ts";
import { safeLink } from "./safe-link.ts";
import { Sentence } from "../elements/sentence.tsx";
import { useMayOpen, useWords } from "./served.tsx";
import { Day, When } from "./times.tsx";
import { Listed } from "../elements/listed.tsx";

/** Whether it is not left out. */
export const isSome = (part: Inline): boolean =>
  part !== false && part !== null && part !== undefined && part !== "";

const Joined = ({ all, by }: { all: readonly Inline[]; by: string }) => (
  <>
    {all.filter(isSome).map((part, place) => (
      <Fragment key={place}>
        {place > 0 && by}
        <Line of={part} />
      </Fragment>
    ))}
  </>
);

const OUTSIDE = "noopener noreferrer nofollow";

type LinkOf = Extract<Inline, { link: string }>;

const Link = ({ of: part }: { of: LinkOf }) => {
  const say = useWords();
  if (!useMayOpen()(part.link)) return part.isButton ? null : <Line of={part.text} />;
  return (
    <a
      href={safeLink(part.link)}
      class={part.isButton ? "button plain" : undefined}
      rel={part.isOutside ? OUTSIDE : part.isBeside ? "noopener" : undefined}
      target={part.isBeside ? "_blank" : undefined}
      download={part.isFile}
      aria-label={part.label && say(part.label)}
      data-open={part.open ? "" : undefined}
      data-key={part.press}
    >
      <Line of={part.text} />
    </a>
  );
};

const Swatch = ({ color }: { color: string }) => (
  <svg class="swatch" viewBox="0 0 2 2" aria-hidden="true">
    <circle cx="1" cy="1" r="1" fill={color} />
  </svg>
);

const Address = ({ address }: { address: string }) => {
  const at = address.lastIndexOf("@");
  if (at < 0) return <>{address}</>;
  return (
    <>
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </>
  );
};

/** Draws a handle with its @ first: in lines from the right the @ would go behind. */
const Handle = ({ of: handle }: { of: string }) =>
  pageDirection(useApp().locale) === "rtl" ? <bdi>{handle}</bdi> : <>{handle}</>;

const Person = ({ person, at }: { person: Account; at: string }) => (
  <a class="who" data-open="" href={useMayOpen()(at) ? at : undefined}>
    <Picture account={person} size={32} />
    <span>
      <strong>
        <Name account={person} />
      </strong>{" "}
      <span>
        <Handle of={`@${person.acct}`} />
      </span>
    </span>
  </a>
);

const elementsOf = (parts: Record<string, Inline>): Record<string, ComponentChildren> =>
  Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, <Line of={part} />]));

const isList = (part: Inline): part is readonly Inline[] => Array.isArray(part);

export const Line = ({ of: part }: { of: Inline }): ComponentChildren => {
  if (typeof part === "string" && part.startsWith("@")) return <Handle of={part} />;
  if (!part || typeof part !== "object") return part || part === 0 ? String(part) : null;
  if (isList(part)) return <Joined all={part} by=" " />;
  if (part instanceof Date) return <When at={part} />;
  if ("say" in part)
    return (
      <Sentence text={part.say} values={part.values ?? {}} elements={elementsOf(part.with ?? {})} />
    );
  if ("badge" in part) return <Badge {...part} />;
  if ("person" in part) return <Person {...part} />;
  if ("link" in part) return <Link of={part} />;
  if ("joined" in part) return <Joined all={part.joined} by=" · " />;
  if ("listed" in part)
    return (
      <Listed
        all={part.listed.map((each, place) => (
          <Line key={place} of={each} />
        ))}
      />
    );
  if ("said" in part)
    return (
      <span class="said">
        <Line of={part.said} />
      </span>
    );
  if ("copied" in part) return <Copyable text={part.copied} />;
  if ("isolated" in part) return <bdi>{part.isolated}</bdi>;
  if ("address" in part) return <Address address={part.address} />;
  if ("code" in part) return <code>{part.code}</code>;
  if ("english" in part) return <span lang="en">{part.english}</span>;
  if ("day" in part) return <Day at={part.day} />;
  if ("swatch" in part) return <Swatch color={part.swatch} />;
  if ("name" in part) return <Name account={part.name} />;
  return "strong" in part ? (
    <strong>
      <Line of={part.strong} />
    </strong>
  ) : (
    <span class="soft" lang={part.lang}>
      <Line of={part.soft} />
    </span>
  );
};
