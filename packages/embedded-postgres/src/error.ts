// Thrown when the database cannot start or be reached: a code for programs, and one sentence that tells a person what
// is wrong and what to do. The caller chooses what that sentence calls the program and its settings.

export type FaultCode =
  /** The programs are missing for this platform, were changed, or do not run here. */
  | "no_binaries"
  | "changed_binaries"
  | "unusable_binaries"
  /** A folder cannot be made, read or written; its disk is full; its file system does not lock. */
  | "unusable_folder"
  | "disk_full"
  | "no_locks"
  /** Another process uses the database. */
  | "in_use"
  /** There is no database, or it is of another version, or broken. */
  | "no_database"
  | "other_version"
  | "damaged"
  | "no_memory"
  /** Any other message of PostgreSQL. */
  | "failed";

/** The caller's words in the sentences; each stands within one of the quoted sentences. */
export type Words = {
  /** "… is in use by another PROGRAM process", "this PROGRAM includes PostgreSQL 18". */
  program: string;
  /** "fix its permissions, or OTHER_FOLDER". */
  otherFolder: string;
  /** "free some memory, or OTHER_DATABASE". */
  otherDatabase: string;
  /** "choose another folder, or WITHOUT_LOCKS if nothing else will ever use it". */
  withoutLocks: string;
  /** "There is no database in /data: FIND_DATABASE". */
  findDatabase: string;
};

const PLAIN: Words = {
  program: "server",
  otherFolder: "choose another folder",
  otherDatabase: "use another PostgreSQL",
  withoutLocks: "start it with the option insist",
  findDatabase: "choose the folder of one, or start a server there first",
};

export type Sentence = (words: Words) => string;

export class EmbeddedPostgresError extends Error {
  override readonly name = "EmbeddedPostgresError";
  readonly code: FaultCode;
  readonly #sentence: Sentence;

  constructor(code: FaultCode, sentence: Sentence) {
    super(sentence(PLAIN));
    this.code = code;
    this.#sentence = sentence;
  }

  /** Returns the message in the caller's words. */
  tell(words: Words): string {
    return this.#sentence(words);
  }
}
