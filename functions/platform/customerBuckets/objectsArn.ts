/**
 * The ARN pattern of the objects of a customer below a folder, for the policy of a session of a role. S3 allows `*` in keys, and
 * IAM reads it as a wildcard: unescaped, the session could use objects of other folders.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_variables.html#policy-vars-specialchars
 */
export const objectsArn = (
  roleArn: string,
  { bucket, folder }: { readonly bucket: string; readonly folder: string },
): string => {
  const [, partition] = roleArn.split(':');
  return `arn:${partition}:s3:::${bucket}/${folder.replaceAll('*', `\${*}`)}*`;
};
