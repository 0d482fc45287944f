import * as z from 'zod';
import { type ResolvedTemplate, resourcesOfType } from './resourcesOfType.ts';

const TYPE = 'AWS::Lambda::EventSourceMapping';

/** Whether an event source is the stream of a table. */
export const isTableStream = (eventSourceArn: string): boolean => /^arn:[^:]*:dynamodb:/.test(eventSourceArn);

/** The reading with those event source mappings alone whose source passes: each kind has properties of its own. */
export function filterEventSources(
  reading: ResolvedTemplate,
  passes: (eventSourceArn: string) => boolean,
): ResolvedTemplate {
  const left = new Set(
    resourcesOfType(reading, TYPE, z.looseObject({ EventSourceArn: z.string() }))
      .filter(({ properties }) => !passes(properties.EventSourceArn))
      .map(({ logicalId }) => logicalId),
  );
  const Resources = Object.fromEntries(
    Object.entries(reading.template.Resources).filter(([logicalId]) => !left.has(logicalId)),
  );
  return { ...reading, template: { ...reading.template, Resources } };
}
