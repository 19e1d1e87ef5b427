// A restore drill: a backup is started as a temporary server and gets a hundred requests, whose responses are compared
// with its database.

import { DomainError, reasonOf } from "../uses.ts";
import type { Checked } from "../check.ts";
import { aboutFile } from "./about-files.ts";
import { aboutPerson } from "./about-people.ts";
import { aboutPost } from "./about-posts.ts";
import { aboutServer } from "./about-server.ts";
import { makeTokens } from "./question.ts";
import type { Question } from "./question.ts";
import { selectFiles, selectPeople, selectPosts } from "./queries.ts";
import { refuseSmallFolder, withThrowAway } from "./throw-away.ts";
import type { ThrowAway } from "./throw-away.ts";

const QUESTIONS = 100;
const PEOPLE = 6;
const FILES = 20;

type Failure = { question: string; fault: string };

type Answers = { questions: number; failures: Failure[] };

export type DrillResult = Answers & {
  started_at: Date;
  finished_at: Date;
  /** The backup's address as given and found. */
  backup: string;
};

/** Collects at most a hundred questions, fewer for a small server, about random people, posts and files. */
const collect = async (server: ThrowAway): Promise<Question[]> => {
  const { sql } = server.app;
  const tokens = makeTokens(server);
  const people = await selectPeople(sql, PEOPLE);
  const questions = [
    ...(await aboutServer(server)),
    ...people.flatMap((person) => aboutPerson({ server, tokens, person })),
    ...(await selectFiles(sql, FILES)).map((file) => aboutFile(server, file)),
  ];
  const posts = await selectPosts(sql, QUESTIONS);
  questions.push(...posts.flatMap((post) => aboutPost(server, tokens, post)));
  return questions.slice(0, QUESTIONS);
};

const faultOf = async (question: Question): Promise<string | null> => {
  try {
    return await question.judge();
  } catch (error) {
    const reason = reasonOf(error);
    return error instanceof DomainError ? reason : `It failed: ${reason}`;
  }
};

/** Asks all questions; those that failed are returned with what is wrong. */
export const askAll = async (
  server: ThrowAway,
  signal: AbortSignal,
  onQuestion: (number: number, all: number) => void,
): Promise<Answers> => {
  const questions = await collect(server);
  const lost = server.restored.missing.map((key) => ({
    question: `/media/${key}`,
    fault: "The file is missing or damaged in the backup.",
  }));
  const failures: Failure[] = lost;
  for (const [index, question] of questions.entries()) {
    signal.throwIfAborted();
    onQuestion(index + 1, questions.length);
    const fault = await faultOf(question);
    if (fault !== null) failures.push({ question: question.about, fault });
  }
  return { questions: questions.length, failures };
};

type DrillProgress = {
  onRestore(done: { database: number; files: number }): void;
  onQuestion(number: number, all: number): void;
};

/**
 * Runs a drill. A backup that cannot be restored fails like one whose server answers wrongly. Throws ConfigError where
 * there is no room.
 */
export const runDrill = async (
  checked: Checked,
  signal: AbortSignal,
  { onRestore, onQuestion }: DrillProgress,
): Promise<DrillResult> => {
  const startedAt = new Date();
  await refuseSmallFolder(checked);
  const answers = await withThrowAway(checked, signal, onRestore, (server) =>
    askAll(server, signal, onQuestion),
  ).catch((error: Error): Answers => {
    if (signal.aborted) throw error;
    return { questions: 0, failures: [{ question: "the restore", fault: reasonOf(error) }] };
  });
  return {
    started_at: startedAt,
    finished_at: new Date(),
    backup: checked.source.shown,
    ...answers,
  };
};
