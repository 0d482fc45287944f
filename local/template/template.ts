import * as z from 'zod';

const Resource = z.looseObject({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).optional(),
  Metadata: z.record(z.string(), z.unknown()).optional(),
  Condition: z.string().optional(),
});

/** The parts of a CloudFormation template the runtime reads; the rest passes through unread. */
export const Template = z.looseObject({
  Resources: z.record(z.string(), Resource),
  Parameters: z.record(z.string(), z.looseObject({ Default: z.unknown().optional() })).optional(),
  Mappings: z.record(z.string(), z.record(z.string(), z.record(z.string(), z.unknown()))).optional(),
  Outputs: z.record(z.string(), z.looseObject({ Value: z.unknown() })).optional(),
});

export type Template = z.infer<typeof Template>;
export type Resource = z.infer<typeof Resource>;

/** The template asks for something the runtime cannot do. The message names the logical id. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}

/** Where in the template a fault lies, as it is shown to a person. */
export const describeResource = (logicalId: string, type: string): string => `${logicalId} (${type})`;
