import { asList, asObject, type Change, type Json, type Report, resolverOf } from './change.ts';
import { type Direction, schemaComparison } from './compareSchemas.ts';

const isSuccess = (status: string): boolean => status < '400';
const keyOf = (parameter: Json): string => `${parameter['in']} ${parameter['name']}`;
/** The scopes of each way to authenticate. No security at all is one way without scopes. */
const securityOf = (operation: Json) =>
  asList(operation['security']).flatMap((way) =>
    Object.entries(asObject(way)).map(([name, scopes]) => ({ name, scopes: asList(scopes) })),
  );

/**
 * All differences between two OpenAPI documents that concern clients. `servers`, descriptions and examples do not. In the
 * webhooks the service sends the request and receives the response.
 */
export const contractChanges = (base: Json, next: Json): Change[] => {
  const [fromBase, fromNext] = [resolverOf(base), resolverOf(next)];
  const changes: Change[] = [];
  let operation = '';
  const report: Report = (bump, at, change) => changes.push({ bump, operation, at, change });
  const compareSchema = schemaComparison([fromBase, fromNext], report);

  const compareContent = (one: unknown, other: unknown, at: string, direction: Direction): void => {
    const [before, after] = [asObject(one), asObject(other)];
    for (const [type, media] of Object.entries(before)) {
      if (!(type in after)) report('major', at, `${type} removed`);
      else compareSchema(asObject(media)['schema'], asObject(after[type])['schema'], at, direction);
    }
    for (const type of Object.keys(after)) if (!(type in before)) report('minor', at, `${type} added`);
  };

  const compareParameters = (one: Json, other: Json, direction: Direction): void => {
    const [before, after] = [
      asList(one['parameters']).map(fromBase),
      asList(other['parameters']).map(fromNext),
    ];
    for (const parameter of before) {
      const key = keyOf(parameter);
      const same = after.find((candidate) => keyOf(candidate) === key);
      if (same === undefined) report('major', key, 'removed');
      else {
        compareSchema(parameter['schema'], same['schema'], key, direction);
        for (const name of ['style', 'explode'])
          if (parameter[name] !== same[name]) report('major', key, `${name} changed`);
        if (direction === 'in' && same['required'] === true && parameter['required'] !== true)
          report('major', key, 'became required');
      }
    }
    for (const parameter of after) {
      if (before.some((candidate) => keyOf(candidate) === keyOf(parameter))) continue;
      const isBroken = direction === 'in' && parameter['required'] === true;
      report(isBroken ? 'major' : 'minor', keyOf(parameter), isBroken ? 'added as required' : 'added');
    }
  };

  const compareResponses = (one: Json, other: Json, direction: Direction): void => {
    const [before, after] = [asObject(one['responses']), asObject(other['responses'])];
    for (const [status, response] of Object.entries(before)) {
      const at = `response ${status}`;
      if (!(status in after)) {
        // A refusal that no longer happens breaks nobody.
        report(isSuccess(status) ? 'major' : 'patch', at, 'removed');
        continue;
      }
      const [old, fresh] = [fromBase(response), fromNext(after[status])];
      compareContent(old['content'], fresh['content'], at, direction);
      const [headers, headersAfter] = [asObject(old['headers']), asObject(fresh['headers'])];
      for (const [name, header] of Object.entries(headers)) {
        if (!(name in headersAfter)) report('major', at, `header ${name} removed`);
        else {
          const schemas = [fromBase(header)['schema'], fromNext(headersAfter[name])['schema']];
          compareSchema(schemas[0], schemas[1], `${at} header ${name}`, direction);
        }
      }
      for (const name of Object.keys(headersAfter))
        if (!(name in headers)) report('minor', at, `header ${name} added`);
    }
    for (const status of Object.keys(after))
      if (!(status in before)) report('minor', `response ${status}`, 'added');
  };

  const compareSecurity = (one: Json, other: Json): void => {
    const [before, after] = [securityOf(one), securityOf(other)];
    if (before.length === 0 && after.length > 0) report('major', 'security', 'a credential became required');
    for (const { name, scopes } of before) {
      // A client needs one of the ways. Each former way must still be enough.
      const missing = after
        .filter((way) => way.name === name)
        .map((way) => way.scopes.filter((scope) => !scopes.includes(scope)));
      const [first] = missing;
      if (first === undefined && after.length > 0) report('major', 'security', `${name} removed`);
      if (first === undefined || missing.some(({ length }) => length === 0)) continue;
      for (const scope of first) report('major', 'security', `${name} needs ${scope}`);
    }
  };

  const compareOperationLimits = (before: Json, after: Json): void => {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const [old, fresh] = [before, after].map((limits) => Number(limits[name] ?? Number.POSITIVE_INFINITY));
      if (old === undefined || fresh === undefined || old === fresh) continue;
      report(fresh < old ? 'major' : 'minor', `limit ${name}`, `changed from ${old} to ${fresh}`);
    }
  };

  const compareOperation = (one: Json, other: Json, isWebhook: boolean): void => {
    const [sent, received]: Direction[] = isWebhook ? ['out', 'in'] : ['in', 'out'];
    if (one['operationId'] !== other['operationId'])
      report('major', 'operationId', `changed from ${one['operationId']}`);
    if (other['deprecated'] === true && one['deprecated'] !== true)
      report('minor', 'operation', 'deprecated');
    compareSecurity(one, other);
    compareOperationLimits(asObject(one['x-limits']), asObject(other['x-limits']));
    compareParameters(one, other, sent ?? 'in');
    const [body, bodyAfter] = [fromBase(one['requestBody']), fromNext(other['requestBody'])];
    if (!isWebhook && body['required'] !== true && bodyAfter['required'] === true)
      report('major', 'body', 'became required');
    compareContent(body['content'], bodyAfter['content'], 'body', sent ?? 'in');
    compareResponses(one, other, received ?? 'out');
  };

  const compareAll = (kind: 'paths' | 'webhooks'): void => {
    const [before, after] = [asObject(base[kind]), asObject(next[kind])];
    const operationsOf = (all: Json) =>
      new Map(
        Object.entries(all).flatMap(([path, methods]) =>
          Object.entries(asObject(methods)).map(([method, one]) => {
            const name = kind === 'webhooks' ? `webhook ${path}` : `${method.toUpperCase()} ${path}`;
            return [name, asObject(one)] as const;
          }),
        ),
      );
    const fresh = operationsOf(after);
    for (const [name, one] of operationsOf(before)) {
      operation = name;
      const other = fresh.get(name);
      if (other === undefined) report('major', 'operation', 'removed');
      else compareOperation(one, other, kind === 'webhooks');
      fresh.delete(name);
    }
    for (operation of fresh.keys()) report('minor', 'operation', 'added');
  };

  compareAll('paths');
  compareAll('webhooks');
  return changes;
};
