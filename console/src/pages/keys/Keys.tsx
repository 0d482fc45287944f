import { Page } from '../../components/Page.tsx';
import { useDialog } from '../../forms/useDialog.ts';
import { ApiKeys } from './ApiKeys.tsx';
import { CreateClientDialog, CreateKeyDialog } from './CreateDialogs.tsx';
import { OAuthClients } from './OAuthClients.tsx';

/** Credentials of programs: API keys for scripts, OAuth clients for services and applications. */
export const Keys = () => {
  const createKey = useDialog('create-key');
  const createClient = useDialog('create-client');
  return (
    <Page
      title="Keys and clients"
      lead="Credentials of programs. A secret is shown once. A credential grants, rotates and revokes only what it holds."
      actions={
        <>
          <button type="button" className="button" onClick={() => createClient.open()}>
            Register an OAuth client
          </button>
          <button type="button" className="button primary" onClick={() => createKey.open()}>
            Create an API key
          </button>
        </>
      }
    >
      <ApiKeys />
      <OAuthClients />
      <CreateKeyDialog of={createKey} />
      <CreateClientDialog of={createClient} />
    </Page>
  );
};
