// Mails about accounts in German.

import type { MailTexts } from "./shape.ts";

export const de: MailTexts = {
  hello: "Hallo {name},",
  confirm: {
    subject: "Bestätige deine E-Mail-Adresse für {site}",
    title: "Bestätige deine E-Mail-Adresse",
    text: "Danke, dass du dich auf {site} registriert hast. Öffne diesen Link, um deine E-Mail-Adresse zu bestätigen.",
    button: "E-Mail-Adresse bestätigen",
    after:
      "Der Link gilt {days} Tage. Wenn du dich nicht registriert hast, kannst du diese E-Mail ignorieren.",
  },
  reset: {
    subject: "Setze dein Passwort für {site} zurück",
    title: "Passwort zurücksetzen",
    text: "Jemand möchte das Passwort deines Kontos auf {site} zurücksetzen. Wenn du das warst, öffne diesen Link und wähle ein neues Passwort.",
    button: "Neues Passwort wählen",
    after:
      "Der Link funktioniert einmal und gilt {hours} Stunden. Wenn du das nicht warst, kannst du diese E-Mail ignorieren: Dein Passwort bleibt, wie es ist.",
  },
  newAddress: {
    subject: "Bestätige deine neue E-Mail-Adresse für {site}",
    title: "Bestätige deine neue E-Mail-Adresse",
    text: "Öffne diesen Link, um diese E-Mail-Adresse für dein Konto auf {site} zu verwenden.",
    button: "Neue E-Mail-Adresse bestätigen",
    after:
      "Der Link gilt 24 Stunden. Wenn du das nicht wolltest, kannst du diese E-Mail ignorieren.",
  },
  approved: {
    title: "Dein Konto auf {site} wurde freigegeben",
    text: "Die Betreiber des Servers haben dein Konto freigegeben. Du kannst dich jetzt anmelden.",
    button: "Anmelden",
  },
  rejected: {
    title: "Deine Registrierung auf {site} wurde nicht angenommen",
    text: "Danke für dein Interesse. Die Betreiber des Servers haben entschieden, deine Registrierung nicht anzunehmen. Deine Daten wurden gelöscht.",
  },
  security: {
    "password-changed": {
      title: "Dein Passwort wurde geändert",
      text: "Das Passwort deines Kontos wurde geändert. Alle Apps und andere Browser wurden abgemeldet.",
    },
    "email-asked": {
      title: "Änderung der E-Mail-Adresse angefordert",
      text: "Jemand möchte die E-Mail-Adresse deines Kontos ändern. Sie ändert sich, sobald der Link geöffnet wird, den wir an die neue Adresse geschickt haben.",
    },
    "email-changed": {
      title: "Deine E-Mail-Adresse wurde geändert",
      text: "Die E-Mail-Adresse deines Kontos wurde geändert. Dies ist die letzte E-Mail an diese Adresse.",
    },
    "two-factor-on": {
      title: "Zwei-Faktor-Authentisierung wurde eingeschaltet",
      text: "Für die Anmeldung an deinem Konto braucht man jetzt einen Code aus deiner Authenticator-App.",
    },
    "two-factor-off": {
      title: "Zwei-Faktor-Authentisierung wurde ausgeschaltet",
      text: "Für die Anmeldung an deinem Konto braucht man keinen Code aus deiner Authenticator-App mehr.",
    },
    "recovery-codes": {
      title: "Neue Wiederherstellungscodes",
      text: "Für dein Konto wurden neue Wiederherstellungscodes erzeugt. Die alten funktionieren nicht mehr.",
    },
    "passkey-added": {
      title: "Ein Passkey wurde hinzugefügt",
      text: "Deinem Konto wurde ein Passkey hinzugefügt. Man kann sich jetzt damit anmelden.",
    },
    "passkey-removed": {
      title: "Ein Passkey wurde entfernt",
      text: "Von deinem Konto wurde ein Passkey entfernt.",
    },
    "account-deleted": {
      title: "Dein Konto wurde gelöscht",
      text: "Dein Konto wurde gelöscht, und mit ihm Profil und Beiträge. Dies ist die letzte E-Mail an diese Adresse.",
    },
  },
  notYou: {
    question: "Wenn du das nicht warst, setze sofort dein Passwort zurück.",
    button: "Passwort zurücksetzen",
    after: "Prüfe danach deine Sitzungen und Apps unter {address}.",
  },
  notYouGone:
    "Wenn du das nicht warst, wende dich an die Betreiber dieses Servers. Ein gelöschtes Konto lässt sich nicht wiederherstellen.",
  decisions: {
    none: {
      title: "Verwarnung durch die Moderation",
      text: "Die Moderation hat dich verwarnt.",
    },
    disable: {
      title: "Dein Konto wurde eingefroren",
      text: "Die Moderation hat dein Konto eingefroren. Du kannst es nicht benutzen; dein Profil und deine Beiträge bleiben, wie sie sind.",
    },
    mark_statuses_as_sensitive: {
      title: "Deine Beiträge wurden als heikel gekennzeichnet",
      text: "Die Moderation hat die Medien einiger deiner Beiträge hinter einer Warnung verborgen.",
    },
    delete_statuses: {
      title: "Deine Beiträge wurden entfernt",
      text: "Die Moderation hat einige deiner Beiträge entfernt, weil sie gegen die Regeln dieses Servers verstoßen.",
    },
    sensitive: {
      title: "Deine Beiträge werden ab jetzt als heikel gekennzeichnet",
      text: "Die Moderation hat entschieden, dass alle Medien, die du postest, hinter einer Warnung verborgen werden.",
    },
    silence: {
      title: "Dein Konto wurde eingeschränkt",
      text: "Die Moderation hat dein Konto eingeschränkt. Nur wer dir schon folgt, sieht deine Beiträge in seiner Timeline.",
    },
    suspend: {
      title: "Dein Konto wurde gesperrt",
      text: "Die Moderation hat dein Konto gesperrt. Dein Profil und deine Beiträge sind verborgen und werden nach 30 Tagen gelöscht.",
    },
  },
  decision: {
    named: "Die Entscheidung: {decision}",
    posts: "Betroffene Beiträge: {count}",
    button: "Entscheidung ansehen",
    appeal:
      "Wenn du das für falsch hältst, kannst du dort innerhalb von {days} Tagen Einspruch einlegen.",
  },
  appealFiled: {
    title: "@{name} legt Einspruch gegen eine Entscheidung ein",
    button: "Entscheiden",
  },
  appealAccepted: {
    title: "Deinem Einspruch wurde stattgegeben",
    text: "Die Moderation hat die Entscheidung zurückgenommen. Gelöschte Beiträge kommen nicht zurück.",
  },
  appealRejected: {
    title: "Dein Einspruch wurde abgelehnt",
    text: "Die Moderation hat die Entscheidung noch einmal geprüft; sie bleibt bestehen.",
  },
  archive: {
    title: "Dein Archiv ist fertig",
    text: "Das Archiv deiner Beiträge und Dateien kann {days} Tage lang heruntergeladen werden.",
    button: "Herunterladen",
  },
  scheduledRefused: {
    title: "Dein geplanter Beitrag wurde nicht veröffentlicht",
    text: "Der Grund ist: {why} Der Beitrag bleibt unter deinen geplanten Beiträgen, wo du eine andere Zeit wählen oder ihn löschen kannst.",
  },
};
