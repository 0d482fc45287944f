import * as z from 'zod';
import { declared, type Reading } from './declared.ts';

const TYPE = 'AWS::Lambda::EventSourceMapping';

/** Whether an event source is the stream of a table. */
export const isStream = (eventSourceArn: string): boolean => /^arn:[^:]*:dynamodb:/.test(eventSourceArn);

/** The reading with those event source mappings alone whose source passes: each kind has properties of its own. */
export function sourcesWhere(reading: Reading, passes: (eventSourceArn: string) => boolean): Reading {
  const left = new Set(
    declared(reading, TYPE, z.looseObject({ EventSourceArn: z.string() }))
      .filter(({ properties }) => !passes(properties.EventSourceArn))
      .map(({ logicalId }) => logicalId),
  );
  const Resources = Object.fromEntries(
    Object.entries(reading.template.Resources).filter(([logicalId]) => !left.has(logicalId)),
  );
  return { ...reading, template: { ...reading.template, Resources } };
}
