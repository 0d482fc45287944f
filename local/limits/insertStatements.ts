import type { AwsRequest } from './awsRequest.ts';
import { type Fields, fields, list, text } from './fields.ts';
import { type PartitionKeys, scalar, type TableAccess } from './tableAccess.ts';
import { okAnswer, type Refusal } from './tableErrors.ts';

/** The only statement that functions send: `INSERT INTO "table" VALUE {'name': ?, …}`. */
const INSERT = /^INSERT INTO "(?<table>[^"]+)" VALUE \{(?<names>[^}]*)\}$/;

interface Insert {
  readonly table: string;
  /** The attributes in the order of the parameters. */
  readonly names: readonly string[];
}

/** Throws for every other statement. */
const parseInsert = (statement: string): Insert => {
  const { table = '', names = '' } = INSERT.exec(statement)?.groups ?? {};
  if (table === '') throw new Error(`The limits of the statement are not known: ${statement}`);
  return { table, names: [...names.matchAll(/'([^']+)': \?/g)].map(([, name = '']) => name) };
};

/** Statements that are remembered. They hold no values, so there is one for each set of attributes of a table. */
const KNOWN_MAXIMUM = 1_000;
const known = new Map<string, Insert>();

/** Every event is written by two statements, and each would be parsed for its permission and for its limit. */
const insertOf = (statement: string): Insert => {
  const remembered = known.get(statement);
  if (remembered !== undefined) return remembered;
  if (known.size === KNOWN_MAXIMUM) known.clear();
  const insert = parseInsert(statement);
  known.set(statement, insert);
  return insert;
};

/** The tables of the statements of a call. */
export const tablesOfStatements = (call: Fields): string[] => [
  ...new Set(list(call['Statements']).map((entry) => insertOf(text(fields(entry)['Statement'])).table)),
];

/** The item that each statement of a call writes. */
export const insertsOf = (call: Fields, keys: PartitionKeys): TableAccess[] =>
  list(call['Statements']).map((entry) => {
    const { Statement, Parameters } = fields(entry);
    const { table, names } = insertOf(text(Statement));
    const key = scalar(list(Parameters)[names.indexOf(keys.get(table) ?? '')]);
    return { table, key, access: 'write' };
  });

/**
 * Leaves out the statements that are refused now, and reports each of them in its place, as DynamoDB does. `settle` charges
 * the others.
 */
export const limitStatements = (
  request: AwsRequest,
  refusals: readonly (Refusal | undefined)[],
  settle: (output: object | undefined) => void,
): void => {
  const statements = list(fields(request.input)['Statements']);
  request.input = {
    ...request.input,
    Statements: statements.filter((_, index) => refusals[index] === undefined),
  };
  if (refusals.every((refusal) => refusal !== undefined)) request.answer = () => okAnswer({ Responses: [] });
  request.finish = (output) => {
    settle(output);
    if (output === undefined) return;
    const answered = list(fields(output)['Responses']).values();
    const Responses = refusals.map((refusal) =>
      refusal === undefined
        ? answered.next().value
        : { Error: { Code: refusal.cancellation, Message: refusal.message } },
    );
    Object.assign(output, { Responses });
  };
};
