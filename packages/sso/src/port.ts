// Declares what a protocol of single sign-on is, for those who use one and those who write one.

/**
 * Who somebody is, as a provider says. `issuer` and `subject` together mean one person for ever; an email address never
 * does, because providers give it to somebody else.
 */
export type Identity = {
  issuer: string;
  subject: string;
  email: string | null;
  emailVerified: boolean;
  name: string | null;
  /** The name that the person has there, to propose a handle. */
  username: string | null;
  /** Address of a picture. */
  picture: string | null;
  groups: string[];
};

/** What the provider's session left, to end it and to ask again. All of it is secret. */
export type Grant = {
  /** Identifies the session at the provider. */
  session: string | null;
  idToken: string | null;
  refreshToken: string | null;
  /** Whether the refresh token outlives the provider's session, so that its end says something about the person. */
  isLasting: boolean;
};

export type SignIn = { identity: Identity; grant: Grant };

/** What has to be kept for the browser, in secret, between the two halves of a sign-in. */
export type Kept = Readonly<Record<string, string>>;

/** Whose sessions end: all of the subject's where `session` is null. */
export type Logout = {
  /** Identifies the message, which counts once. */
  id: string;
  issuer: string;
  subject: string | null;
  session: string | null;
};

/** What was found out about a provider before it is saved. */
export type Examination = {
  /** The issuer as it names itself, which may differ from what was entered by a last slash. */
  issuer?: string;
  endpoints: Record<string, string>;
  /** Whether it tells this server of sign-outs, and whether it has lasting refresh tokens that it is not asked for. */
  tellsLogout: boolean;
  couldLast: boolean;
};

export type Protocol = {
  /** Asks for everything that a sign-in will need, without signing anybody in. */
  examine(): Promise<Examination>;
  begin(redirectUri: string): Promise<{ url: string; kept: Kept }>;
  /** Whether what came back says that it answers what was begun; nothing of it is verified yet. */
  answers(callback: string, kept: Kept): boolean;
  /** `callback` is the address of `begin` with the parameters that came back. */
  finish(callback: string, kept: Kept): Promise<SignIn>;
  /** Asks again who somebody is; fails with `ended` where the provider has ended what the token stood for. */
  refresh(refreshToken: string, subject: string): Promise<SignIn>;
  /** Returns where the browser ends the provider's session; null where it cannot. */
  endUrl(idToken: string | null, returnTo: string): Promise<string | null>;
  /** Verifies a message of the provider by which it ends sessions. */
  readLogout(message: string): Promise<Logout>;
};

export type SsoFault =
  /** The person gave up, or the provider did not let them in. */
  | "denied"
  /** The attempt is of another browser or provider, or was used before. */
  | "mismatch"
  /** The provider's answer is not what it has to be: signature, issuer, audience, times … */
  | "invalid"
  /** No answer came. */
  | "unreachable"
  /** The refresh token is worth nothing any more. */
  | "ended";

export class SsoError extends Error {
  override readonly name = "SsoError";
  readonly fault: SsoFault;

  constructor(fault: SsoFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}

export type SendRequest = {
  method: string;
  headers: Record<string, string>;
  body?: string | Uint8Array;
};

export type SendAnswer = {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array<ArrayBuffer>;
};

/** Makes a request for a protocol, which has no access to the network of its own; follows no redirect. */
export type Send = (url: string, request: SendRequest) => Promise<SendAnswer>;
