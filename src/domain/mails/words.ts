// What mails say besides the titles of notifications, in the languages of the people who get them.
// `{site}`: the server, `{name}`: whose account it is.

import { textsIn } from "../../platform/text/locale.ts";
import type { MailKind } from "./kinds.ts";

export type Words = {
  post: string;
  profile: string;
  open: string;
  settings: string;
  unsubscribe: string;
  /** Why somebody gets the mail. */
  why: string;
  digest: string;
  digestWhy: string;
  /** What is counted in the summary. */
  counts: Partial<Record<MailKind, string>>;
};

const ENGLISH: Words = {
  post: "View post",
  profile: "View profile",
  open: "Open {site}",
  settings: "Email settings",
  unsubscribe: "Unsubscribe",
  why: "You’re getting this email because notifications of this kind are on for @{name}.",
  digest: "What you missed on {site}",
  digestWhy: "You’re getting this email because you haven’t used @{name} for a while.",
  counts: {
    mention: "Mentions",
    quote: "Quotes",
    follow: "New followers",
    follow_request: "Follow requests",
    favourite: "Favourites",
    reblog: "Boosts",
  },
};

const LANGUAGES: Record<string, Words> = {
  en: ENGLISH,
  de: {
    post: "Beitrag ansehen",
    profile: "Profil ansehen",
    open: "{site} öffnen",
    settings: "E-Mail-Einstellungen",
    unsubscribe: "Abbestellen",
    why: "Du bekommst diese E-Mail, weil solche Benachrichtigungen für @{name} eingeschaltet sind.",
    digest: "Was du auf {site} verpasst hast",
    digestWhy: "Du bekommst diese E-Mail, weil du @{name} eine Weile nicht benutzt hast.",
    counts: {
      mention: "Erwähnungen",
      quote: "Zitate",
      follow: "Neue Follower",
      follow_request: "Follower-Anfragen",
      favourite: "Favoriten",
      reblog: "Geteilte Beiträge",
    },
  },
  fr: {
    post: "Voir le message",
    profile: "Voir le profil",
    open: "Ouvrir {site}",
    settings: "Paramètres des e-mails",
    unsubscribe: "Se désabonner",
    why: "Vous recevez cet e-mail car ce type de notification est activé pour @{name}.",
    digest: "Ce que vous avez manqué sur {site}",
    digestWhy:
      "Vous recevez cet e-mail car vous n’avez pas utilisé @{name} depuis un certain temps.",
    counts: {
      mention: "Mentions",
      quote: "Citations",
      follow: "Nouveaux abonnés",
      follow_request: "Demandes d’abonnement",
      favourite: "Favoris",
      reblog: "Partages",
    },
  },
  es: {
    post: "Ver publicación",
    profile: "Ver perfil",
    open: "Abrir {site}",
    settings: "Ajustes de correo",
    unsubscribe: "Cancelar la suscripción",
    why: "Recibes este correo porque las notificaciones de este tipo están activadas para @{name}.",
    digest: "Lo que te perdiste en {site}",
    digestWhy: "Recibes este correo porque hace tiempo que no usas @{name}.",
    counts: {
      mention: "Menciones",
      quote: "Citas",
      follow: "Seguidores nuevos",
      follow_request: "Solicitudes de seguimiento",
      favourite: "Favoritos",
      reblog: "Impulsos",
    },
  },
  it: {
    post: "Vedi il post",
    profile: "Vedi il profilo",
    open: "Apri {site}",
    settings: "Impostazioni e-mail",
    unsubscribe: "Annulla l’iscrizione",
    why: "Ricevi questa e-mail perché le notifiche di questo tipo sono attive per @{name}.",
    digest: "Cosa ti sei perso su {site}",
    digestWhy: "Ricevi questa e-mail perché non usi @{name} da un po’.",
    counts: {
      mention: "Menzioni",
      quote: "Citazioni",
      follow: "Nuovi seguaci",
      follow_request: "Richieste di seguirti",
      favourite: "Apprezzamenti",
      reblog: "Condivisioni",
    },
  },
  nl: {
    post: "Bericht bekijken",
    profile: "Profiel bekijken",
    open: "{site} openen",
    settings: "E-mailinstellingen",
    unsubscribe: "Afmelden",
    why: "Je krijgt deze e-mail omdat dit soort meldingen voor @{name} aanstaat.",
    digest: "Wat je hebt gemist op {site}",
    digestWhy: "Je krijgt deze e-mail omdat je @{name} een tijdje niet hebt gebruikt.",
    counts: {
      mention: "Vermeldingen",
      quote: "Citaten",
      follow: "Nieuwe volgers",
      follow_request: "Volgverzoeken",
      favourite: "Favorieten",
      reblog: "Boosts",
    },
  },
  pt: {
    post: "Ver publicação",
    profile: "Ver perfil",
    open: "Abrir {site}",
    settings: "Configurações de e-mail",
    unsubscribe: "Cancelar inscrição",
    why: "Você recebe este e-mail porque as notificações deste tipo estão ativadas para @{name}.",
    digest: "O que você perdeu em {site}",
    digestWhy: "Você recebe este e-mail porque não usa @{name} há algum tempo.",
    counts: {
      mention: "Menções",
      quote: "Citações",
      follow: "Novos seguidores",
      follow_request: "Pedidos para seguir",
      favourite: "Favoritos",
      reblog: "Impulsos",
    },
  },
  pl: {
    post: "Zobacz wpis",
    profile: "Zobacz profil",
    open: "Otwórz {site}",
    settings: "Ustawienia e-maili",
    unsubscribe: "Wypisz się",
    why: "Otrzymujesz tę wiadomość, ponieważ powiadomienia tego rodzaju są włączone dla @{name}.",
    digest: "Co Cię ominęło na {site}",
    digestWhy: "Otrzymujesz tę wiadomość, ponieważ od dawna nie używasz @{name}.",
    counts: {
      mention: "Wspomnienia",
      quote: "Cytaty",
      follow: "Nowi obserwujący",
      follow_request: "Prośby o obserwowanie",
      favourite: "Polubienia",
      reblog: "Podbicia",
    },
  },
  ja: {
    post: "投稿を見る",
    profile: "プロフィールを見る",
    open: "{site}を開く",
    settings: "メール設定",
    unsubscribe: "配信停止",
    why: "@{name}さんのこの種類のメール通知がオンになっているため、このメールをお送りしています。",
    digest: "{site}の新着情報",
    digestWhy: "@{name}さんがしばらくご利用になっていないため、このメールをお送りしています。",
    counts: {
      mention: "メンション",
      quote: "引用",
      follow: "新しいフォロワー",
      follow_request: "フォローリクエスト",
      favourite: "お気に入り",
      reblog: "ブースト",
    },
  },
};

export type WordsFor = { language: string; words: Words };

export const wordsFor = (locale: string): WordsFor => textsIn(LANGUAGES, ENGLISH, locale);
