import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { type DeclaredResource, ignored, type ResolvedTemplate, resourcesOfType } from './resourcesOfType.ts';
import { describeResource, TemplateError } from './template.ts';

const FunctionProperties = z.strictObject({
  Handler: z.string(),
  Runtime: z.string().startsWith('nodejs'),
  Code: z.strictObject({ S3Bucket: z.string(), S3Key: z.string() }),
  Timeout: z.coerce.number().default(3),
  MemorySize: z.coerce.number().default(128),
  ReservedConcurrentExecutions: z.coerce.number().optional(),
  Environment: z
    .strictObject({ Variables: z.record(z.string(), z.coerce.string()).default({}) })
    .default({ Variables: {} }),
  FunctionName: z.string().optional(),
  Architectures: ignored,
  DeadLetterConfig: ignored,
  Description: ignored,
  EphemeralStorage: ignored,
  LoggingConfig: ignored,
  RecursiveLoop: ignored,
  Role: z.string(),
  RuntimeManagementConfig: ignored,
  Tags: ignored,
  TracingConfig: ignored,
});

/** A function of the template. The timeout is in milliseconds, the memory in MiB. */
export interface FunctionDeclaration {
  logicalId: string;
  name: string;
  arn: string;
  /** The module that contains the handler: the same file that is deployed. */
  file: string;
  exportName: string;
  timeoutMs: number;
  memoryMiB: number;
  /** The reserved concurrency of the template, if set. */
  reserved: number | undefined;
  variables: Record<string, string>;
  /** The ARN of the role that the function assumes. */
  role: string;
}

/** Every function of the template, with its code from the assembly. Throws a TemplateError if the code is missing. */
export const readFunctions = (template: ResolvedTemplate, assemblyDir: string): FunctionDeclaration[] =>
  resourcesOfType(template, 'AWS::Lambda::Function', FunctionProperties).map((declared) => ({
    logicalId: declared.logicalId,
    name: declared.identity.name,
    arn: declared.identity.attributes['Arn'] ?? declared.identity.name,
    ...handlerOf(declared, assemblyDir),
    timeoutMs: declared.properties.Timeout * 1000,
    memoryMiB: declared.properties.MemorySize,
    reserved: declared.properties.ReservedConcurrentExecutions,
    variables: declared.properties.Environment.Variables,
    role: declared.properties.Role,
  }));

const EXTENSIONS = ['.mjs', '.js', '.cjs'];

function handlerOf(
  { logicalId, resource, properties }: DeclaredResource<z.output<typeof FunctionProperties>>,
  assemblyDir: string,
): { file: string; exportName: string } {
  const dot = properties.Handler.lastIndexOf('.');
  const directory = join(assemblyDir, assetOf(resource.Metadata, properties.Code.S3Key));
  const module = join(directory, properties.Handler.slice(0, dot));
  const extension = EXTENSIONS.find((candidate) => existsSync(`${module}${candidate}`));
  if (extension) return { file: `${module}${extension}`, exportName: properties.Handler.slice(dot + 1) };
  throw new TemplateError(
    `${describeResource(logicalId, resource.Type)}: no module for ${properties.Handler} in ${directory}. Run the build first.`,
  );
}

/** The asset directory from the CDK metadata. Without metadata it follows from the S3 key, `<hash>.zip`. */
function assetOf(metadata: Record<string, unknown> | undefined, s3Key: string): string {
  const path = z.string().safeParse(metadata?.['aws:asset:path']);
  return path.success ? path.data : `asset.${s3Key.replace(/\.zip$/, '')}`;
}
