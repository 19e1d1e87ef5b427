// The views of cards, by name.

import type { FunctionComponent } from "preact";
import type { CardPages } from "../card-pages.ts";
import { Consent, ConsentCode } from "./consent.tsx";
import {
  AskForMail,
  Captcha,
  ChoosePassword,
  ConfirmationSent,
  Confirmed,
  Message,
  Unconfirmed,
  Unsubscribe,
} from "./mailed.tsx";
import { SecondStep, SignIn, Standing } from "./sign-in.tsx";
import { AwaitsOwner, Setup, SignUp } from "./sign-up.tsx";

export const CARD_VIEWS: {
  [Name in keyof CardPages]: FunctionComponent<{ data: CardPages[Name] }>;
} = {
  message: Message,
  "sign-in": SignIn,
  "second-step": SecondStep,
  "sign-up": SignUp,
  setup: Setup,
  "awaits-owner": AwaitsOwner,
  confirmed: Confirmed,
  captcha: Captcha,
  "ask-for-mail": AskForMail,
  "confirmation-sent": ConfirmationSent,
  unconfirmed: Unconfirmed,
  standing: Standing,
  "choose-password": ChoosePassword,
  consent: Consent,
  "consent-code": ConsentCode,
  unsubscribe: Unsubscribe,
};
