// What is thrown when the database cannot start or be reached: a code for programs, and one sentence that says to
// a person what is wrong and what to do. What that sentence calls the program and its settings is the caller's.

export type FaultCode =
  /** There are none for this platform, they were changed, or they do not run here. */
  | "no_binaries"
  | "changed_binaries"
  | "unusable_binaries"
  /** A folder cannot be made, read or written; its disk is full; its file system does not lock. */
  | "unusable_folder"
  | "disk_full"
  | "no_locks"
  /** Another process has it. */
  | "in_use"
  /** There is no database, none of this version, or a broken one. */
  | "no_database"
  | "other_version"
  | "damaged"
  | "no_memory"
  /** Anything else that PostgreSQL says. */
  | "failed";

/** How the sentences call what is not known here; each is put into the middle of one. */
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

  /** The message in the caller's words. */
  tell(words: Words): string {
    return this.#sentence(words);
  }
}
