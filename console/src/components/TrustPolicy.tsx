import { Copyable } from './Copyable.tsx';

interface TrustPolicyProps {
  readonly of: { readonly trusted_role_arn: string; readonly external_id: string };
  /** What happens once the role has it. */
  readonly then: string;
}

/** What the trust policy of a role of the customer must name. */
export const TrustPolicy = ({ of: { trusted_role_arn, external_id }, then }: TrustPolicyProps) => {
  const policy = {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { AWS: trusted_role_arn },
        Action: 'sts:AssumeRole',
        Condition: { StringEquals: { 'sts:ExternalId': external_id } },
      },
    ],
  };
  return (
    <>
      <p>Give the role this trust policy. {then}</p>
      <Copyable text={JSON.stringify(policy, null, 2)} label="the trust policy" />
    </>
  );
};
