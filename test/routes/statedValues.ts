import pMap from 'p-map';
import { describe, expect, it } from 'vitest';
import { routes } from '../../schemas/routes/index.ts';
import { type RouteShape, routeKey } from '../../schemas/routes/route.ts';
import { conformanceOf } from '../platform/apiDocs/contract/conformance.ts';
import { operationIn } from '../platform/apiDocs/contract/openapiDocument.ts';
import { pathOf } from '../platform/apiDocs/contract/requests.ts';
import {
  acceptedValues,
  outsideValues,
  type Place,
  packed,
  placesIn,
  publishedIn,
  type Trial,
  withValue,
  wrongTypes,
} from '../platform/apiDocs/contract/statedValues.ts';
import { type Answer, call } from '../support/client.ts';
import { expectNoFaults, unequal } from '../support/faults.ts';
import type { RouteWorld } from './world.ts';

/** A request that tries values at several places of its query or body. */
interface Attempt {
  readonly route: RouteShape;
  readonly trials: readonly Trial[];
  readonly send: (trials: readonly Trial[]) => Promise<Answer>;
}

type ValuesOf = typeof acceptedValues;

/** Texts that are numbers elsewhere. */
const NUMBER_TEXTS = ['', '05', ' 5', '1e1', '0x1', '٥'];
/** A query has texts only. An empty list is an empty text. */
const outsideOfQuery: ValuesOf = (node, published) => [
  ...outsideValues(node, published).filter((value) => !Array.isArray(value) || value.length > 0),
  ...(node.type === 'integer' ? NUMBER_TEXTS : []),
];
/** Undefined leaves a member out. */
const outsideOfBody = (
  { node, isRequired, isOfAlternative }: Place,
  published: Parameters<ValuesOf>[1],
): readonly unknown[] => [
  ...outsideValues(node, published),
  ...wrongTypes(node, published),
  ...(isRequired && !isOfAlternative ? [undefined] : []),
];

const accepted = {
  ofQuery: acceptedValues,
  ofBody: ({ node }: Place, published: Parameters<ValuesOf>[1]) => acceptedValues(node, published),
};
const outside = { ofQuery: outsideOfQuery, ofBody: outsideOfBody };
type Kind = typeof accepted | typeof outside;

const valueAt = (value: unknown, path: Trial['path']): unknown =>
  path.reduce<unknown>((inside, name) => Object(inside)[name], value);

/** The places that an answer refuses: in its errors, or in the warnings and results of ingestion, which keeps the event. */
const refusedIn = ({ status, body }: Answer): readonly string[] => {
  const places = (value: unknown): readonly string[] => {
    if (typeof value !== 'object' || value === null) return [];
    if (Array.isArray(value)) return value.flatMap(places);
    const { parameter, pointer } = Object(value);
    const own = [parameter, pointer].filter((name) => typeof name === 'string');
    return [...own, ...Object.values(value).flatMap(places)];
  };
  // Reports answer with the filters that match nothing, which refuses nothing.
  return status === 200 || status === 201 ? [] : places(body);
};

/** What depends on another member, so that the schema of one member cannot say it. The descriptions do. */
const RELATED: ReadonlySet<string> = new Set([
  // Parts of input_tokens and output_tokens, which the sample has.
  ...['cached_input_tokens', 'cache_write_tokens', 'audio_input_tokens', 'image_input_tokens'],
  ...['reasoning_tokens', 'audio_output_tokens', 'image_output_tokens'],
  // Needs `top`.
  'top_by',
  // Idle nodes have a pool, a replacement has a model, and the others neither.
  'saving',
  // refresh_token needs authorization_code, and partner:connector source systems.
  ...['grant_types', 'scopes'],
]);

/** Columns of a bill that only describe the charge. One that cannot be stored is left out, because it must not cost the charge. */
const isLenient = ({ path: [list, , column = ''] }: Trial): boolean =>
  list === 'rows' &&
  /^(?:x_(?!RowId)|Sku|Resource|ServiceName|Consumed|SubAccount|Region|ChargeDescription|ChargeClass|PricingCategory|PricingCurrency|InvoiceDetail|BillingPeriod)/.test(
    column,
  );

/** The results of a list name the member of an item by a pointer of its own, and ingestion drops a member as a whole. */
const isRefused = (answer: Answer, { path }: Trial): boolean => {
  const [name = ''] = path;
  const own = path[1] === '0' ? path.slice(2) : path;
  const pointers = [path, own].map((parts) => parts.map((part) => `/${part}`).join(''));
  const isWhole = (place: string, pointer: string) =>
    answer.status === 202 && place !== '' && `${pointer}/`.startsWith(`${place}/`);
  return refusedIn(answer).some(
    (place) =>
      place === name ||
      pointers.some((pointer) => `${place}/`.startsWith(`${pointer}/`) || isWhole(place, pointer)),
  );
};

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : String(JSON.stringify(value));

const attemptsOf = (world: RouteWorld, route: RouteShape, kind: Kind): readonly Attempt[] => {
  const published = publishedIn(world.service.document);
  const operation = operationIn(world.service.document, route);
  const path = pathOf(route, world.missingId);
  const queryTrials = (operation?.parameters ?? [])
    .filter((parameter) => parameter.in === 'query' && parameter.name !== 'cursor')
    .flatMap(({ name, schema }) =>
      kind.ofQuery(published(schema), published).map((value) => ({ path: [name], value })),
    );
  const sendQuery = (trials: readonly Trial[]) => {
    const query = new URLSearchParams(
      trials.map(({ path: [name = ''], value }): [string, string] => [name, textOf(value)]),
    );
    return call(world.service.baseUrl, `${path}?${query}`, world.validRequest(route));
  };
  const schema =
    route.body?.kind === 'json' ? Object.values(operation?.requestBody?.content ?? {})[0]?.schema : undefined;
  const bodyTrials =
    schema === undefined
      ? []
      : placesIn(published(schema), published).flatMap((place) =>
          kind.ofBody(place, published).map((value) => ({
            path: place.path,
            value,
          })),
        );
  const sendBody = (trials: readonly Trial[]) => {
    const request = world.validRequest(route);
    const body = trials.reduce<unknown>(
      (made, { path: at, value }) => withValue(made, at, value),
      request.body ?? {},
    );
    return call(world.service.baseUrl, path, { ...request, body });
  };
  return [
    ...packed(queryTrials).map((trials) => ({ route, trials, send: sendQuery })),
    ...packed(bodyTrials).map((trials) => ({ route, trials, send: sendBody })),
  ];
};

/** Every bound and choice that the document states, tried against the service, and what lies just outside. */
export const testStatedValues = (world: RouteWorld): void => {
  const faultsOf = conformanceOf(world.service.document);
  const nameOf = ({ path, value }: Trial, answer: Answer) =>
    `${path.join('/')}=${textOf(value).slice(0, 40)} → ${answer.status} ${answer.text.slice(0, 300)}`;

  /** The faults of all attempts. `isGood` judges a trial by the answer to its request. */
  const tryAll = async (kind: Kind, isGood: (answer: Answer, trial: Trial) => boolean) => {
    const attempts = routes.flatMap((route: RouteShape) => attemptsOf(world, route, kind));
    // A rule between members can concern one that is good alone, and one refusal can hide others. What is doubtful is sent
    // again without the rest, or in halves, until it stands alone.
    const one = async ({ route, trials, send }: Attempt): Promise<readonly string[]> => {
      const answer = await send(trials);
      const { method } = route;
      const general = faultsOf({
        method,
        path: pathOf(route, world.missingId),
        answer,
        isAuthenticated: route.access !== 'public',
      });
      const doubtful = trials.filter((trial) => !isGood(answer, trial));
      const middle = Math.ceil(trials.length / 2);
      const parts =
        doubtful.length < trials.length ? [doubtful] : [trials.slice(0, middle), trials.slice(middle)];
      const own =
        trials.length === 1
          ? doubtful.map((trial) => `${routeKey(route)}: ${nameOf(trial, answer)}`)
          : await pMap(
              parts.filter(({ length }) => length > 0),
              (part) => one({ route, trials: part, send }),
              { concurrency: 1 },
            );
      return [...general.map((fault) => `${routeKey(route)}: ${fault}`), ...own.flat()];
    };
    // A function has one environment. Functions work side by side.
    const byUnit = Object.values(Object.groupBy(attempts, ({ route }) => route.unit));
    const faults = await Promise.all(byUnit.map((ofUnit) => pMap(ofUnit, one, { concurrency: 1 })));
    return {
      faults: faults.flat(2),
      trials: attempts.flatMap(({ trials }) => trials),
    };
  };

  describe('the service', () => {
    it('refuses what lies just outside, and names the parameter or member', async () => {
      const { faults, trials } = await tryAll(
        outside,
        (answer, trial) =>
          answer.status < 500 &&
          // The URL of an endpoint that does not exist is not resolved.
          (isRefused(answer, trial) ||
            isLenient(trial) ||
            (answer.status === 404 && trial.path[0] === 'url')),
      );
      expect(faults).toEqual([]);
      expect(trials.length).toBeGreaterThan(1_000);
    });

    it('takes null for every optional member as absent, where a body is not a partial update', async () => {
      const published = publishedIn(world.service.document);
      const withBody = routes.filter(
        ({ method, body }: RouteShape) => body?.kind === 'json' && method !== 'PATCH',
      );
      await expectNoFaults(withBody, routeKey, async (route: RouteShape) => {
        const content = operationIn(world.service.document, route)?.requestBody?.content ?? {};
        const places = placesIn(published(Object.values(content)[0]?.schema), published);
        const [plain, request] = [world.validRequest(route), world.validRequest(route)];
        const isUnset = ({ path, isRequired }: Place): boolean =>
          !isRequired &&
          path.at(-1) !== '0' &&
          typeof valueAt(request.body, path.slice(0, -1)) === 'object' &&
          valueAt(request.body, path) === undefined;
        const body = places
          .filter(isUnset)
          .reduce<unknown>((made, { path }) => withValue(made, path, null), request.body);
        const url = pathOf(route, world.missingId);
        const without = await call(world.service.baseUrl, url, plain);
        const nulls = await call(world.service.baseUrl, url, { ...request, body });
        const named = refusedIn(nulls);
        return [
          ...(named.length === 0 ? [] : [`${nulls.status} names ${named.join(', ')}`]),
          ...unequal('status', nulls.status, without.status),
        ];
      });
    });

    // Last, because what it creates fills the room that a tenant has for a kind of resource.
    it('accepts every bound and choice that the document states', async () => {
      const { faults, trials } = await tryAll(
        accepted,
        (answer, trial) =>
          answer.status < 500 && (!isRefused(answer, trial) || RELATED.has(trial.path.at(-1) ?? '')),
      );
      expect(faults).toEqual([]);
      expect(trials.length).toBeGreaterThan(1_000);
    });
  });
};
