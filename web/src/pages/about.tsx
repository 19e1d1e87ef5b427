// Says who runs this server, by which rules, and how it handles personal data.

import type {
  Account,
  ExtendedDescription,
  Instance,
  PrivacyPolicy,
  Rule,
  TermsOfService,
} from "../api/entities.ts";
import { ColumnHead } from "../views/frame.tsx";
import { useApp } from "../app.ts";
import { keepAccount } from "../store/store.ts";
import { RichText } from "../text/rich-text.tsx";
import { day } from "../text/time.ts";
import type { Key } from "../texts/texts.ts";
import { FiguresLine } from "../elements/figures.tsx";
import type { Figures } from "../elements/figures.tsx";
import { PersonRow } from "../elements/names.tsx";
import { loadFigures } from "./front.tsx";

import type { AnyPage, Loading, Page } from "./page.ts";

type About = {
  figures: Figures;
  description: string;
  rules: Rule[];
  contact: { id: string | null; email: string };
  registrationsMessage: string | null;
  hasTerms: boolean;
};

const Rules = ({ rules }: { rules: readonly Rule[] }) => {
  const { t } = useApp();
  if (rules.length === 0) return null;
  return (
    <>
      <h2 id="rules">{t("about.rules")}</h2>
      <ol>
        {rules.map(({ id, text, hint }) => (
          <li key={id}>
            {text} {hint && <small class="soft">{hint}</small>}
          </li>
        ))}
      </ol>
    </>
  );
};

const Contact = ({ contact }: Pick<About, "contact">) => {
  const { store, t } = useApp();
  const account = contact.id === null ? undefined : store.accounts.get(contact.id)?.value;
  if (!account && !contact.email) return null;
  return (
    <>
      <h2>{t("about.contact")}</h2>
      {account && <PersonRow account={account} />}
      {contact.email && (
        <p>
          <a href={`mailto:${contact.email}`}>{contact.email}</a>
        </p>
      )}
    </>
  );
};

const signUps = ({
  enabled,
  approval_required,
}: {
  enabled: boolean;
  approval_required: boolean;
}): Key => {
  if (!enabled) return "about.closed";
  return approval_required ? "about.approved" : "about.open";
};

const about: Page<About> = {
  path: "/about",
  load: async ({ get, store }: Loading) => {
    const [{ body: instance }, { body: extended }, figures] = await Promise.all([
      get<Instance>("/api/v2/instance"),
      get<ExtendedDescription>("/api/v1/instance/extended_description"),
      loadFigures(get),
    ]);
    const { email, account } = instance.contact as { email: string; account: Account | null };
    const { message } = instance.registrations as { message?: string | null };
    return {
      figures,
      description: extended.content,
      rules: instance.rules,
      contact: { id: account ? keepAccount(store, account) : null, email },
      registrationsMessage: message ?? null,
      hasTerms: instance.configuration.urls.terms_of_service !== null,
    };
  },
  View: ({ data }) => {
    const { site, t } = useApp();
    return (
      <>
        <ColumnHead title={t("about.title", { name: site.title })} />
        <section class="prose">
          <p class="lead">{site.description || t("front.introduction", { domain: site.domain })}</p>
          <FiguresLine figures={data.figures} />
          <div class="text">
            <RichText html={data.description} />
          </div>
          <Rules rules={data.rules} />
          <h2>{t("about.joining")}</h2>
          <p>{t(signUps(site.registrations))}</p>
          {data.registrationsMessage && (
            <div class="text">
              <RichText html={data.registrationsMessage} />
            </div>
          )}
          <Contact contact={data.contact} />
          <p>
            <a href="/privacy-policy">{t("about.privacy")}</a>
            {data.hasTerms && (
              <>
                {" · "}
                <a href="/terms-of-service">{t("about.terms")}</a>
              </>
            )}
          </p>
          <h2>{t("about.software")}</h2>
          <p>{t("about.software_text", { version: site.version.replace(/^.*rookery\.?/i, "") })}</p>
        </section>
      </>
    );
  },
  head: (_data, { site, t }) => ({
    title: t("about.title", { name: site.title }),
    description: site.description || t("front.introduction", { domain: site.domain }),
  }),
};

type Document = {
  title: Key;
  content: string;
  terms: Pick<TermsOfService, "effective" | "effective_date" | "succeeded_by"> | null;
};

/** Says since when terms are in force, and what follows them. */
const Dates = ({ terms }: { terms: NonNullable<Document["terms"]> }) => {
  const { locale, t } = useApp();
  const { effective, effective_date, succeeded_by: next } = terms;
  return (
    <>
      <p class="soft">
        {t(effective ? "about.effective" : "about.effective_later", {
          date: day(locale, effective_date),
        })}
      </p>
      {next && (
        <p>
          <a href={`/terms-of-service/${next}`}>
            {t("about.next_terms", { date: day(locale, next) })}
          </a>
        </p>
      )}
    </>
  );
};

const DocumentView: Page<Document>["View"] = ({ data }) => {
  const { t } = useApp();
  return (
    <>
      <ColumnHead title={t(data.title)} />
      <section class="prose">
        {data.terms && <Dates terms={data.terms} />}
        <div class="text">
          <RichText html={data.content} />
        </div>
      </section>
    </>
  );
};

const documentPage = (
  path: string,
  load: (loading: Loading) => Promise<Document>,
): Page<Document> => ({
  path,
  load,
  View: DocumentView,
  head: ({ title }, { t }) => ({ title: t(title) }),
});

const loadTerms = async ({ get, place }: Loading): Promise<Document> => {
  const { date } = place.params;
  const { body } = await get<TermsOfService>(
    `/api/v1/instance/terms_of_service${date ? `/${date}` : ""}`,
  );
  return { title: "about.terms", content: body.content, terms: body };
};

const loadPrivacy = async ({ get, locale }: Loading): Promise<Document> => {
  const { body } = await get<PrivacyPolicy>("/api/v1/instance/privacy_policy", {
    lang: locale,
  });
  return { title: "about.privacy", content: body.content, terms: null };
};

export const aboutPages: AnyPage[] = [
  about,
  documentPage("/privacy-policy", loadPrivacy),
  documentPage("/terms-of-service", loadTerms),
  documentPage("/terms-of-service/:date", loadTerms),
];
