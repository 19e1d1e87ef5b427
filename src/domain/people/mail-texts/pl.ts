// Mails about accounts in Polish.

import type { MailTexts } from "./shape.ts";

export const pl: MailTexts = {
  hello: "Cześć {name},",
  confirm: {
    subject: "Potwierdź swój adres e-mail na {site}",
    title: "Potwierdź swój adres e-mail",
    text: "Dziękujemy za rejestrację na {site}. Otwórz ten link, aby potwierdzić swój adres e-mail.",
    button: "Potwierdź adres e-mail",
    after:
      "Link wygasa po upływie {days} dni. Jeśli to nie Ty się rejestrowałeś(-aś), zignoruj tę wiadomość.",
  },
  reset: {
    subject: "Zresetuj hasło na {site}",
    title: "Zresetuj hasło",
    text: "Ktoś poprosił o zresetowanie hasła do Twojego konta na {site}. Jeśli to Ty, otwórz ten link, aby wybrać nowe hasło.",
    button: "Wybierz nowe hasło",
    after:
      "Link działa jeden raz i wygasa po upływie {hours} godzin. Jeśli to nie Ty, zignoruj tę wiadomość: Twoje hasło pozostaje bez zmian.",
  },
  newAddress: {
    subject: "Potwierdź nowy adres e-mail na {site}",
    title: "Potwierdź nowy adres e-mail",
    text: "Otwórz ten link, aby używać tego adresu e-mail na swoim koncie na {site}.",
    button: "Potwierdź nowy adres",
    after: "Link wygasa po 24 godzinach. Jeśli to nie Twoja prośba, zignoruj tę wiadomość.",
  },
  approved: {
    title: "Twoje konto na {site} zostało zatwierdzone",
    text: "Osoby prowadzące serwer zatwierdziły Twoje konto. Możesz się już zalogować.",
    button: "Zaloguj się",
  },
  rejected: {
    title: "Twoja rejestracja na {site} nie została przyjęta",
    text: "Dziękujemy za zainteresowanie. Osoby prowadzące serwer postanowiły nie przyjmować Twojej rejestracji. Twoje dane zostały usunięte.",
  },
  security: {
    "password-changed": {
      title: "Twoje hasło zostało zmienione",
      text: "Hasło do Twojego konta zostało zmienione. Wszystkie aplikacje i inne przeglądarki zostały wylogowane.",
    },
    "email-asked": {
      title: "Poproszono o zmianę adresu e-mail",
      text: "Ktoś poprosił o zmianę adresu e-mail Twojego konta. Zmieni się, gdy zostanie otwarty link wysłany na nowy adres.",
    },
    "email-changed": {
      title: "Twój adres e-mail został zmieniony",
      text: "Adres e-mail Twojego konta został zmieniony. To ostatnia wiadomość na ten adres.",
    },
    "two-factor-on": {
      title: "Włączono uwierzytelnianie dwuskładnikowe",
      text: "Logowanie na Twoje konto wymaga teraz kodu z aplikacji uwierzytelniającej.",
    },
    "two-factor-off": {
      title: "Wyłączono uwierzytelnianie dwuskładnikowe",
      text: "Logowanie na Twoje konto nie wymaga już kodu z aplikacji uwierzytelniającej.",
    },
    "recovery-codes": {
      title: "Nowe kody odzyskiwania",
      text: "Dla Twojego konta utworzono nowe kody odzyskiwania. Stare już nie działają.",
    },
    "passkey-added": {
      title: "Dodano klucz dostępu",
      text: "Do Twojego konta dodano klucz dostępu. Można go teraz używać do logowania.",
    },
    "passkey-removed": {
      title: "Usunięto klucz dostępu",
      text: "Z Twojego konta usunięto klucz dostępu.",
    },
    "account-deleted": {
      title: "Twoje konto zostało usunięte",
      text: "Twoje konto zostało usunięte, wraz z profilem i wpisami. To ostatnia wiadomość na ten adres.",
    },
  },
  notYou: {
    question: "Jeśli to nie Ty, natychmiast zresetuj hasło.",
    button: "Zresetuj hasło",
    after: "Następnie sprawdź swoje sesje i aplikacje na {address}.",
  },
  notYouGone:
    "Jeśli to nie Ty, skontaktuj się z osobami prowadzącymi ten serwer. Usuniętego konta nie można przywrócić.",
  decisions: {
    none: {
      title: "Ostrzeżenie od moderacji",
      text: "Moderacja wysłała Ci ostrzeżenie.",
    },
    disable: {
      title: "Twoje konto zostało zamrożone",
      text: "Moderacja zamroziła Twoje konto. Nie możesz z niego korzystać; Twój profil i wpisy pozostają bez zmian.",
    },
    mark_statuses_as_sensitive: {
      title: "Twoje wpisy oznaczono jako wrażliwe",
      text: "Moderacja ukryła multimedia niektórych Twoich wpisów za ostrzeżeniem.",
    },
    delete_statuses: {
      title: "Twoje wpisy zostały usunięte",
      text: "Moderacja usunęła niektóre Twoje wpisy, ponieważ naruszają zasady tego serwera.",
    },
    sensitive: {
      title: "Twoje wpisy są odtąd oznaczane jako wrażliwe",
      text: "Moderacja postanowiła, że wszystkie publikowane przez Ciebie multimedia są ukrywane za ostrzeżeniem.",
    },
    silence: {
      title: "Twoje konto zostało ograniczone",
      text: "Moderacja ograniczyła Twoje konto. Twoje wpisy widzą na swoich osiach czasu tylko osoby, które już Cię obserwują.",
    },
    suspend: {
      title: "Twoje konto zostało zawieszone",
      text: "Moderacja zawiesiła Twoje konto. Twój profil i wpisy są ukryte i zostaną usunięte po 30 dniach.",
    },
  },
  decision: {
    named: "Decyzja: {decision}",
    posts: "Liczba wpisów, których to dotyczy: {count}",
    button: "Zobacz decyzję",
    appeal: "Jeśli uważasz, że to pomyłka, możesz się tam odwołać w ciągu {days} dni.",
  },
  appealFiled: { title: "@{name} odwołuje się od decyzji", button: "Rozstrzygnij" },
  appealAccepted: {
    title: "Twoje odwołanie zostało uwzględnione",
    text: "Moderacja cofnęła decyzję. Usunięte wpisy nie wracają.",
  },
  appealRejected: {
    title: "Twoje odwołanie zostało odrzucone",
    text: "Moderacja ponownie rozpatrzyła decyzję i podtrzymuje ją.",
  },
  archive: {
    title: "Twoje archiwum jest gotowe",
    text: "Archiwum Twoich wpisów i plików można pobierać przez {days} dni.",
    button: "Pobierz",
  },
  scheduledRefused: {
    title: "Twój zaplanowany wpis nie został opublikowany",
    text: "Powód: {why} Wpis pozostaje wśród zaplanowanych wpisów, gdzie możesz wybrać inny termin albo go usunąć.",
  },
};
