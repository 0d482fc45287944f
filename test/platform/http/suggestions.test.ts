import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { checkEvent } from '../../../functions/ingest/events/checkEvent.ts';
import { INFERENCE_EVENT_TYPE } from '../../../functions/ingest/formats/cloudEvent.ts';
import { parseSignal } from '../../../functions/insight/coverage/signals/parseSignal.ts';
import { signalWarnings } from '../../../functions/insight/coverage/signals/signalWarnings.ts';
import { fieldErrors, parameterErrors, WITH_INPUT } from '../../../functions/platform/http/inputErrors.ts';
import type { FieldError } from '../../../schemas/fieldError.ts';
import { ConnectorEvent, DiscoveryEvent, OtherEvent } from '../../../schemas/ingest/cloudEvent.ts';
import { CostBreakdown, InvocationEventFields } from '../../../schemas/ingest/invocationEvent.ts';
import { routes } from '../../../schemas/routes/index.ts';
import { type RouteShape, routeKey } from '../../../schemas/routes/route.ts';
import { someEvent } from '../../support/client.ts';
import { expectNoFaults } from '../../support/faults.ts';
import { samplesWith } from '../apiDocs/contract/sample.ts';
import { SchemaNode } from '../apiDocs/contract/schemaNode.ts';
import { NOW } from './harness.ts';

/** Routes whose bodies come from other products, so that members they do not know are ignored. */
const OPEN_BODIES: ReadonlySet<string> = new Set([
  'postCallLogs',
  'postEvents',
  'postInvocation',
  'postInvocationBatch',
  'postLogs',
  'postMetrics',
  'postPartnerEvents',
  'postPartnerInvocation',
  'postTraces',
]);

/** Members of a closed body that come from other products: the columns of a bill. */
const OPEN_MEMBERS: Readonly<Record<string, string>> = { postBills: '/rows/' };

/** Without the letter in the middle. */
const misspell = (name: string): string =>
  name.slice(0, Math.floor(name.length / 2)) + name.slice(Math.floor(name.length / 2) + 1);

interface Misspelling {
  readonly pointer: string;
  readonly meant: string;
  readonly value: unknown;
}

/** The value with each name of a member misspelt in turn. */
const misspeltIn = (value: unknown, pointer = ''): readonly Misspelling[] => {
  if (typeof value !== 'object' || value === null) return [];
  const entries = Object.entries(value);
  const replaced = (from: string, to: string, member: unknown) =>
    Array.isArray(value)
      ? value.with(Number(from), member)
      : Object.fromEntries(entries.map(([name, old]) => (name === from ? [to, member] : [name, old])));
  return entries.flatMap(([name, member]) => [
    ...(Array.isArray(value) || name.length < 2 || name === 'x'
      ? []
      : [
          {
            pointer: `${pointer}/${misspell(name)}`,
            meant: name,
            value: replaced(name, misspell(name), member),
          },
        ]),
    ...misspeltIn(member, `${pointer}/${name}`).map((one) => ({
      ...one,
      value: replaced(name, name, one.value),
    })),
  ]);
};

const namesIn = (node: SchemaNode): readonly string[] => [
  ...Object.keys(node.properties ?? {}),
  ...[
    ...Object.values(node.properties ?? {}),
    ...Object.values(node.$defs ?? {}),
    ...[node.anyOf, node.oneOf, node.allOf].flatMap((nodes) => nodes ?? []),
    ...[node.items, node.additionalProperties].filter((one) => typeof one === 'object'),
  ].flatMap(namesIn),
];

const nodeOf = (schema: z.ZodType): SchemaNode =>
  SchemaNode.parse(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));

const choicesIn = (node: SchemaNode, root: SchemaNode): readonly string[] => {
  const target = node.$ref === undefined ? undefined : root.$defs?.[node.$ref.replace('#/$defs/', '')];
  return [
    ...(target === undefined ? [] : choicesIn(target, root)),
    ...[...(node.enum ?? []), node.const].filter((one) => typeof one === 'string'),
    ...[
      ...(node.anyOf ?? []),
      ...(node.oneOf ?? []),
      ...(node.items === undefined ? [] : [node.items]),
    ].flatMap((one) => choicesIn(one, root)),
  ];
};

/** The nodes that a value can have, without references and choices. */
const nodesOf = (node: SchemaNode, root: SchemaNode): readonly SchemaNode[] => {
  const target = node.$ref === undefined ? undefined : root.$defs?.[node.$ref.replace('#/$defs/', '')];
  const others = [target === undefined ? [] : [target], node.anyOf ?? [], node.oneOf ?? [], node.allOf ?? []];
  return [node, ...others.flat().flatMap((one) => nodesOf(one, root))];
};

/** The value with each text that the schema lists misspelt in turn, as each of the listed texts. */
const misspeltChoicesIn = (
  value: unknown,
  node: SchemaNode,
  root: SchemaNode,
  pointer = '',
): readonly Misspelling[] => {
  const nodes = nodesOf(node, root);
  if (typeof value === 'string') {
    const choices = choicesIn(node, root);
    return choices
      .filter((choice) => choice.length > 3 && !choices.includes(misspell(choice)))
      .map((choice) => ({ pointer, meant: choice, value: misspell(choice) }));
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    nodes
      .flatMap(({ properties, items, additionalProperties }) =>
        Array.isArray(value)
          ? (items ?? [])
          : (properties?.[name] ?? (typeof additionalProperties === 'object' ? additionalProperties : [])),
      )
      .flatMap((inner) => misspeltChoicesIn(member, inner, root, `${pointer}/${name}`))
      .map((one) => ({
        ...one,
        value: Array.isArray(value) ? value.with(Number(name), one.value) : { ...value, [name]: one.value },
      })),
  );
};

describe('a name that matches nothing', () => {
  it('as a member of a body is named with the member that was meant, on every route', async () => {
    const closed = routes.filter(
      ({ body, operation }: RouteShape) => body?.kind === 'json' && !OPEN_BODIES.has(operation),
    );
    await expectNoFaults(closed, routeKey, ({ body, operation }: RouteShape) => {
      if (body === undefined) return [];
      const { schema } = body;
      const known = new Set(namesIn(nodeOf(schema)));
      const all = samplesWith(schema, 'x').flatMap((sample) => misspeltIn(sample));
      const misspelt = [...new Map(all.map((one) => [one.pointer, one])).values()];
      // A misspelt name can be that of another member, or a name of the caller's own.
      const wrong = misspelt.filter(
        ({ pointer, meant }) =>
          known.has(meant) &&
          !known.has(pointer.split('/').at(-1) ?? '') &&
          !pointer.startsWith(OPEN_MEMBERS[operation] ?? '//'),
      );
      return wrong.flatMap(({ pointer, meant, value }) => {
        const { error } = schema.safeParse(value, WITH_INPUT);
        const found = error && fieldErrors(error, schema, value).find((one) => one.pointer === pointer);
        return found?.suggestion === meant ? [] : [`${pointer}: ${JSON.stringify(found)}`];
      });
    });
  });

  it('as a choice of a parameter or of a member is named with the choice that was meant, on every route', async () => {
    const schemasOf = ({ query, body }: RouteShape) => [
      ...(query === undefined ? [] : [{ schema: query, isQuery: true }]),
      ...(body?.kind === 'json' ? [{ schema: body.schema, isQuery: false }] : []),
    ];
    let tried = 0;
    await expectNoFaults(routes, routeKey, (route: RouteShape) =>
      schemasOf(route).flatMap(({ schema, isQuery }) => {
        const root = nodeOf(schema);
        return Object.entries(root.properties ?? {}).flatMap(([name, node]) => {
          const choices = choicesIn(node, root).filter((one) => one.length > 3);
          return choices.flatMap((choice) => {
            const value = misspell(choice);
            if (choices.includes(value)) return [];
            tried += 1;
            const isList = !isQuery && node.type === 'array';
            const sent = { [name]: isList ? [value] : value };
            const { error } = schema.safeParse(sent, WITH_INPUT);
            const errors: readonly FieldError[] =
              error === undefined
                ? []
                : isQuery
                  ? parameterErrors(error, [])
                  : fieldErrors(error, schema, sent);
            const about = errors.filter(
              ({ parameter, pointer }) =>
                parameter === name || pointer === (isList ? `/${name}/0` : `/${name}`),
            );
            return about.some(({ suggestion }) => suggestion === choice) || about.length === 0
              ? []
              : [`${name} ${value}: ${JSON.stringify(about)}`];
          });
        });
      }),
    );
    expect(tried).toBeGreaterThan(200);
  });

  it('as a choice within an object or a list of a body is named with the choice that was meant, on every route', async () => {
    const closed = routes.filter(({ body }: RouteShape) => body?.kind === 'json');
    let tried = 0;
    await expectNoFaults(closed, routeKey, ({ body }: RouteShape) => {
      if (body === undefined) return [];
      const { schema } = body;
      const root = nodeOf(schema);
      const wrong = samplesWith(schema, 'x').flatMap((sample) => misspeltChoicesIn(sample, root, root));
      const faults = wrong.flatMap(({ pointer, meant, value }) => {
        const { error } = schema.safeParse(value, WITH_INPUT);
        // A place that takes any text takes a misspelt choice too.
        if (error === undefined) return [];
        tried += 1;
        const found = fieldErrors(error, schema, value).filter((one) => one.pointer === pointer);
        return found.some(({ suggestion }) => suggestion === meant)
          ? []
          : [`${pointer} ${meant}: ${JSON.stringify(found)}`];
      });
      return [...new Set(faults)];
    });
    expect(tried).toBeGreaterThan(200);
  });

  it('as a member of an event is dropped with a warning that names the member that was meant', async () => {
    const names = [
      ...Object.keys(InvocationEventFields.shape),
      ...Object.keys(CostBreakdown.shape).map((name) => `cost_breakdown/${name}`),
    ];
    await expectNoFaults(names, String, (path) => {
      const [name = '', inner] = path.split('/');
      const known = Object.keys(inner === undefined ? InvocationEventFields.shape : CostBreakdown.shape);
      const wrong = misspell(inner ?? name);
      if (known.includes(wrong)) return [];
      const event = { ...someEvent(), ingestion_timestamp: new Date(NOW).toISOString() };
      const sent = inner === undefined ? { ...event, [wrong]: 'x' } : { ...event, [name]: { [wrong]: '1' } };
      const checked = checkEvent(sent, NOW);
      const warnings = checked.event === null ? [] : checked.dropped.warnings;
      const pointer = inner === undefined ? `/${wrong}` : `/${name}/${wrong}`;
      const found = warnings?.find((one) => one.pointer === pointer);
      return found?.suggestion === (inner ?? name) ? [] : [JSON.stringify(warnings)];
    });
  });

  it.each([
    ['an event', InvocationEventFields, (sent: unknown) => checkEvent(sent, NOW).errors],
    ['a discovery signal', DiscoveryEvent, (sent: unknown) => parseSignal(sent, 'acme', NOW).errors],
    ['the health of a connector', ConnectorEvent, (sent: unknown) => parseSignal(sent, 'acme', NOW).errors],
    ['another CloudEvent', OtherEvent, (sent: unknown) => parseSignal(sent, 'acme', NOW).errors],
  ])(
    'as a required member of %s, which takes any member, is named with the member that was meant',
    async (_, schema, errorsOf) => {
      const [sample] = samplesWith(schema, 'x');
      const required = misspeltIn(sample).filter(({ value }) => !schema.safeParse(value).success);

      expect(required.length).toBeGreaterThan(2);
      await expectNoFaults(
        required,
        ({ pointer }) => pointer,
        ({ pointer, meant, value }) => {
          const errors = errorsOf(value) ?? [];
          return errors.some((one) => one.pointer === pointer && one.suggestion === meant)
            ? []
            : [JSON.stringify(errors)];
        },
      );
    },
  );

  it('as an optional attribute of a CloudEvent is named with the attribute that was meant', async () => {
    const event = { specversion: '1.0', id: '1', source: '/a', type: 'com.example.reloaded' };
    const optional = { time: new Date(NOW).toISOString(), subject: 'team-a', data: {} };
    const types = [event.type, INFERENCE_EVENT_TYPE];
    const cases = types.flatMap((type) =>
      Object.entries(optional).map(([name, value]) => ({ type, name, value })),
    );
    const warningsOf = (sent: unknown) => {
      const { signal } = parseSignal(sent, 'acme', NOW);
      return signal === null ? [] : signalWarnings(sent, signal);
    };
    await expectNoFaults(
      cases,
      ({ type, name }) => `${type} ${name}`,
      ({ type, name, value }) => {
        const warnings = warningsOf({ ...event, type, [misspell(name)]: value });
        return warnings.some(
          ({ pointer, suggestion }) => pointer === `/${misspell(name)}` && suggestion === name,
        )
          ? []
          : [JSON.stringify(warnings)];
      },
    );
    const extensions = {
      traceparent: '00-1-1-00',
      partitionkey: 'a',
      sequence: '1',
      name: 'x',
      dataschema: 'x',
    };
    expect(warningsOf({ ...event, ...optional, ...extensions })).toEqual([]);
  });

  it('as an unknown member of the producer is dropped without a warning', () => {
    const sent = { ...someEvent(), ingestion_timestamp: new Date(NOW).toISOString(), my_shop: 'x' };
    const checked = checkEvent(sent, NOW);

    expect(checked.event === null ? null : checked.dropped).toEqual({ scrubbed: [] });
  });

  it('is compared in bounded time, however many and however long they are', () => {
    const names = Array.from({ length: 5_000 }, (_, index) => [`n${'x'.repeat(200)}${index}`, 1]);
    const schema = z.strictObject({ name: z.string(), kind: z.enum(['a', 'b']) });
    const sent = { ...Object.fromEntries(names), kind: 'k'.repeat(100_000) };
    const { error } = schema.safeParse(sent, WITH_INPUT);

    expect(error === undefined ? [] : fieldErrors(error, schema, sent)).toHaveLength(100);
  });
});
