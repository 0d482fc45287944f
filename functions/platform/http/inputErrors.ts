import * as z from 'zod';
import type { FieldError } from '../../../schemas/fieldError.ts';
import { memberAt } from '../shared/memberAt.ts';
import { missingName, probableName } from '../shared/nearestName.ts';
import { issueText } from './issueText.ts';
import { memberNames } from './memberNames.ts';

// The words of zod name JavaScript's types. Text that a schema gives itself comes before these.
z.config({ localeError: issueText });

const MAX_ERRORS = 100;
const MAX_ALLOWED = 100;

type Issue = z.core.$ZodIssue;

const pointerOf = (path: readonly PropertyKey[]): string =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** The listed values at the place of an issue. An alternative of a union may accept others beside them. */
const listedValues = (issue: Issue): readonly string[] => {
  if (issue.code === 'invalid_value') return issue.values.map(String);
  return issue.code === 'invalid_union' ? issue.errors.flat().flatMap(listedValues) : [];
};

/** The listed value that was probably meant. An issue has what was sent only if it was parsed with {@link WITH_INPUT}. */
export const suggestedValue = (issue: Issue): Pick<FieldError, 'suggestion'> =>
  (typeof issue.input === 'string' && missingName(issue.input, new Set(listedValues(issue)))) || {};

/** The values that would be accepted, if the schema lists them all, and the one that was probably meant. */
const allowedValues = (issue: Issue): Pick<FieldError, 'allowed' | 'suggestion'> => ({
  ...(issue.code === 'invalid_value' && { allowed: issue.values.slice(0, MAX_ALLOWED).map(String) }),
  ...suggestedValue(issue),
});

/** Issues then have what was sent, from which errors take a suggestion and nothing else. */
export const WITH_INPUT = { reportInput: true } as const;

const isOfAnotherType = (issues: readonly Issue[]): boolean =>
  issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0);

/**
 * Replaces the issue of a union by the issues of the alternative that fits best: the one that fails below the top, with
 * the fewest issues. A union of simple values keeps one issue that names all alternatives. An alternative for another type
 * says nothing about a value that has the type of one. Where a member decides which alternative it is, its values are listed.
 */
export const expandUnion = (issue: Issue): Issue[] => {
  if (issue.code !== 'invalid_union') return [issue];
  if ('options' in issue && issue.options !== undefined) {
    const { options: values, input, discriminator = '', path, message } = issue;
    return [{ code: 'invalid_value', values, input: memberAt(input, discriminator), path, message }];
  }
  const all = issue.errors.map((issues) => issues.flatMap(expandUnion));
  const ofType = all.filter((issues) => !isOfAnotherType(issues));
  const alternatives = ofType.length > 0 ? ofType : all;
  const [best] = alternatives
    .filter((issues) => issues.some(({ path }) => path.length > 0))
    .sort((one, other) => one.length - other.length);
  if (best !== undefined) return best.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
  const messages = [...new Set(alternatives.flat().map(({ message }) => message))];
  return [{ ...issue, message: messages.length > 0 ? messages.join(', or: ') : issue.message }];
};

/** A sender chooses how many members there are, so only those that are answered are compared with the known ones. */
const unknownMembers = (
  { path, keys }: Pick<z.core.$ZodIssueUnrecognizedKeys, 'path' | 'keys'>,
  known: ReadonlySet<string>,
): FieldError[] =>
  keys.slice(0, MAX_ERRORS).map((key) => ({
    pointer: pointerOf([...path, key]),
    detail: 'Unknown or read-only member.',
    ...missingName(key, known),
  }));

/**
 * Members with a name near that of a missing one. Objects that take any member do not refuse a misspelt one, nor does a choice
 * of alternatives whose deciding member is missing.
 */
const misspeltName = ({ path }: Issue, schema: z.core.$ZodType, sent: unknown): FieldError[] => {
  const [holderPath, missing] = [path.slice(0, -1), String(path.at(-1) ?? '')];
  const holder = memberAt(sent, ...holderPath.map(String));
  if (typeof holder !== 'object' || holder === null || Object.hasOwn(holder, missing)) return [];
  const known = memberNames(schema, holderPath);
  const keys = Object.keys(holder).filter((key) => !known.has(key));
  return unknownMembers({ path: holderPath, keys }, new Set([missing])).filter(
    ({ suggestion }) => suggestion !== undefined,
  );
};

/**
 * The errors of a body of this schema: where, why, which values are allowed, and the name that was probably meant. They never
 * contain the value that was sent.
 */
export const fieldErrors = (error: z.ZodError, schema: z.core.$ZodType, sent: unknown): FieldError[] => {
  const issues = error.issues.flatMap(expandUnion).slice(0, MAX_ERRORS);
  const refused = issues.flatMap((issue): FieldError[] =>
    issue.code === 'unrecognized_keys'
      ? unknownMembers(issue, memberNames(schema, issue.path))
      : [{ pointer: pointerOf(issue.path), detail: issue.message, ...allowedValues(issue) }],
  );
  const named = new Set(refused.map(({ pointer }) => pointer));
  const misspelt = issues
    .flatMap((issue) => misspeltName(issue, schema, sent))
    .filter(({ pointer }) => !named.has(pointer));
  return [...refused, ...misspelt].slice(0, MAX_ERRORS);
};

/** `owner[contains]` is the operator `contains` on the field `owner`. */
const FILTER = /^(\w+)\[(\w+)\]$/;

/** A name in another form can be a secret or content that was sent in the wrong place, so errors do not repeat it. */
const PRINTABLE_NAME = /^[A-Za-z]\w{0,31}(?:\[[A-Za-z]{1,12}\])?$/;

/** The error of a query parameter, whose name is undefined if it cannot be decoded. */
export const parameterError = (name: string | undefined, detail: string): FieldError => {
  if (name === undefined || !PRINTABLE_NAME.test(name)) return { detail: `A query parameter ${detail}.` };
  const [, field, operator] = FILTER.exec(name) ?? [];
  const filter = field !== undefined && operator !== undefined ? { field, operator } : {};
  return { parameter: name, ...filter, detail: `The parameter ${detail}.` };
};

const fieldOf = (name: string): string => FILTER.exec(name)?.[1] ?? name;

/** The error of a query parameter that the route does not know. `known` are the parameters of the route. */
const unknownParameter = (name: string, known: readonly string[]): FieldError => {
  if (!PRINTABLE_NAME.test(name)) {
    return {
      detail: 'The query has a parameter that this route does not know. Its name is not repeated here.',
    };
  }
  const [, field, operator] = FILTER.exec(name) ?? [];
  const operators = known.flatMap((one) => {
    const [, knownField, knownOperator] = FILTER.exec(one) ?? [];
    return knownField === field && knownOperator !== undefined ? [knownOperator] : [];
  });
  if (field !== undefined && operator !== undefined && operators.length > 0) {
    const suggestion = probableName(operator, operators);
    return {
      parameter: name,
      field,
      operator,
      detail: `The field ${field} does not support the operator ${operator}.`,
      allowed: operators,
      ...(suggestion !== undefined && { suggestion: `${field}[${suggestion}]` }),
    };
  }
  const names = [...new Set(known.map(fieldOf))];
  const suggestion = probableName(fieldOf(name), names);
  return {
    parameter: name,
    ...(operator !== undefined && { field: fieldOf(name), operator }),
    detail: 'This route does not know the parameter.',
    allowed: names,
    ...(suggestion !== undefined && {
      suggestion: operator === undefined ? suggestion : `${suggestion}[${operator}]`,
    }),
  };
};

/** The errors of a query. `known` are the parameters of the route. */
export const parameterErrors = (error: z.ZodError, known: readonly string[]): FieldError[] =>
  error.issues
    .flatMap(expandUnion)
    .flatMap((issue): FieldError[] => {
      if (issue.code === 'unrecognized_keys')
        return issue.keys.slice(0, MAX_ERRORS).map((key) => unknownParameter(key, known));
      const [name] = issue.path;
      if (name === undefined) return [{ detail: issue.message }];
      const [, field, operator] = FILTER.exec(String(name)) ?? [];
      const filter = field !== undefined && operator !== undefined ? { field, operator } : {};
      return [{ parameter: String(name), ...filter, detail: issue.message, ...allowedValues(issue) }];
    })
    .slice(0, MAX_ERRORS);
