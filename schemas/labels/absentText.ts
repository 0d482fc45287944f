/** What languages and loggers write for a value that does not exist: `str(None)`, `%v` of nil, `%DYNAMIC_METADATA%` of Envoy. */
const ABSENT: ReadonlySet<string> = new Set(
  'null none undefined nil <nil> nan n/a unknown - (none) (null) (unknown)'.split(' '),
);
const LENGTH_MAXIMUM = 9;

/** Whether a text stands for no value. */
export const isAbsent = (text: string): boolean =>
  text.length <= LENGTH_MAXIMUM && ABSENT.has(text.trim().toLowerCase());
