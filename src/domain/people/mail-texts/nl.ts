// Mails about accounts in Dutch.

import type { MailTexts } from "./shape.ts";

export const nl: MailTexts = {
  hello: "Hallo {name},",
  confirm: {
    subject: "Bevestig je e-mailadres voor {site}",
    title: "Bevestig je e-mailadres",
    text: "Bedankt voor je registratie op {site}. Open deze link om je e-mailadres te bevestigen.",
    button: "E-mailadres bevestigen",
    after:
      "De link verloopt over {days} dagen. Heb je je niet geregistreerd, dan kun je deze e-mail negeren.",
  },
  reset: {
    subject: "Stel je wachtwoord voor {site} opnieuw in",
    title: "Stel je wachtwoord opnieuw in",
    text: "Iemand wil het wachtwoord van je account op {site} opnieuw instellen. Was jij dat, open dan deze link om een nieuw wachtwoord te kiezen.",
    button: "Nieuw wachtwoord kiezen",
    after:
      "De link werkt één keer en verloopt over {hours} uur. Was jij het niet, dan kun je deze e-mail negeren: je wachtwoord blijft hetzelfde.",
  },
  newAddress: {
    subject: "Bevestig je nieuwe e-mailadres voor {site}",
    title: "Bevestig je nieuwe e-mailadres",
    text: "Open deze link om dit e-mailadres te gebruiken voor je account op {site}.",
    button: "Nieuw e-mailadres bevestigen",
    after:
      "De link verloopt over 24 uur. Heb je hier niet om gevraagd, dan kun je deze e-mail negeren.",
  },
  approved: {
    title: "Je account op {site} is goedgekeurd",
    text: "De beheerders van de server hebben je account goedgekeurd. Je kunt nu inloggen.",
    button: "Inloggen",
  },
  rejected: {
    title: "Je registratie op {site} is niet geaccepteerd",
    text: "Bedankt voor je belangstelling. De beheerders van de server hebben besloten je registratie niet te accepteren. Je gegevens zijn verwijderd.",
  },
  security: {
    "password-changed": {
      title: "Je wachtwoord is gewijzigd",
      text: "Het wachtwoord van je account is gewijzigd. Alle apps en andere browsers zijn uitgelogd.",
    },
    "email-asked": {
      title: "Wijziging van e-mailadres aangevraagd",
      text: "Iemand wil het e-mailadres van je account wijzigen. Het verandert zodra de link wordt geopend die we naar het nieuwe adres hebben gestuurd.",
    },
    "email-changed": {
      title: "Je e-mailadres is gewijzigd",
      text: "Het e-mailadres van je account is gewijzigd. Dit is de laatste e-mail naar dit adres.",
    },
    "two-factor-on": {
      title: "Tweestapsverificatie is ingeschakeld",
      text: "Om in te loggen op je account is nu een code uit je authenticatie-app nodig.",
    },
    "two-factor-off": {
      title: "Tweestapsverificatie is uitgeschakeld",
      text: "Om in te loggen op je account is geen code uit je authenticatie-app meer nodig.",
    },
    "recovery-codes": {
      title: "Nieuwe herstelcodes",
      text: "Er zijn nieuwe herstelcodes voor je account gemaakt. De oude werken niet meer.",
    },
    "passkey-added": {
      title: "Er is een passkey toegevoegd",
      text: "Er is een passkey aan je account toegevoegd. Hiermee kan nu worden ingelogd.",
    },
    "passkey-removed": {
      title: "Er is een passkey verwijderd",
      text: "Er is een passkey van je account verwijderd.",
    },
    "account-deleted": {
      title: "Je account is verwijderd",
      text: "Je account is verwijderd, met profiel en berichten. Dit is de laatste e-mail naar dit adres.",
    },
  },
  notYou: {
    question: "Was jij dit niet? Stel dan meteen je wachtwoord opnieuw in.",
    button: "Wachtwoord opnieuw instellen",
    after: "Controleer daarna je sessies en apps op {address}.",
  },
  notYouGone:
    "Was jij dit niet? Neem dan contact op met de beheerders van deze server. Een verwijderd account kan niet worden hersteld.",
  decisions: {
    none: {
      title: "Waarschuwing van de moderatoren",
      text: "De moderatoren hebben je een waarschuwing gestuurd.",
    },
    disable: {
      title: "Je account is bevroren",
      text: "De moderatoren hebben je account bevroren. Je kunt het niet gebruiken; je profiel en berichten blijven zoals ze zijn.",
    },
    mark_statuses_as_sensitive: {
      title: "Je berichten zijn als gevoelig gemarkeerd",
      text: "De moderatoren hebben de media van enkele van je berichten achter een waarschuwing verborgen.",
    },
    delete_statuses: {
      title: "Je berichten zijn verwijderd",
      text: "De moderatoren hebben enkele van je berichten verwijderd, omdat ze de regels van deze server overtreden.",
    },
    sensitive: {
      title: "Je berichten worden voortaan als gevoelig gemarkeerd",
      text: "De moderatoren hebben besloten dat alle media die je plaatst achter een waarschuwing worden verborgen.",
    },
    silence: {
      title: "Je account is beperkt",
      text: "De moderatoren hebben je account beperkt. Alleen mensen die je al volgen zien je berichten in hun tijdlijn.",
    },
    suspend: {
      title: "Je account is opgeschort",
      text: "De moderatoren hebben je account opgeschort. Je profiel en berichten zijn verborgen en worden na 30 dagen verwijderd.",
    },
  },
  decision: {
    named: "De beslissing: {decision}",
    posts: "Betrokken berichten: {count}",
    button: "Beslissing bekijken",
    appeal: "Als je denkt dat dit niet klopt, kun je daar binnen {days} dagen bezwaar maken.",
  },
  appealFiled: { title: "@{name} maakt bezwaar tegen een beslissing", button: "Beslissen" },
  appealAccepted: {
    title: "Je bezwaar is toegewezen",
    text: "De moderatoren hebben de beslissing teruggedraaid. Verwijderde berichten komen niet terug.",
  },
  appealRejected: {
    title: "Je bezwaar is afgewezen",
    text: "De moderatoren hebben er opnieuw naar gekeken en de beslissing blijft staan.",
  },
  archive: {
    title: "Je archief is klaar",
    text: "Het archief van je berichten en bestanden kan {days} dagen lang worden gedownload.",
    button: "Downloaden",
  },
  scheduledRefused: {
    title: "Je ingeplande bericht is niet geplaatst",
    text: "De reden is: {why} Het bericht blijft bij je ingeplande berichten staan, waar je een ander tijdstip kunt kiezen of het kunt verwijderen.",
  },
};
