import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { type CustomProfile, NETWORK_PROFILE_NAMES, type Throttle } from '../../../shared/model/rule/throttle.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { updateSettings } from '../actions.ts';
import { type App, useApp, useWindow } from '../app-context.ts';
import { ProfileForm } from './profile-form.tsx';
import { networkInWords } from './throttle-words.ts';

/** Adds, changes and removes: `by` is empty to remove, and `at` is the list's length to add. */
function replaceProfile(app: App, at: number, by: CustomProfile[]): Promise<boolean> {
  const { throttle, throttleProfiles } = app.store.getState().settings;
  const before = throttleProfiles[at]?.name;
  const profiles = [...throttleProfiles.slice(0, at), ...by, ...throttleProfiles.slice(at + 1)];
  // The chosen profile follows its new name, and nothing stays chosen that was removed.
  const chosen = before !== undefined && before === throttle ? { throttle: by[0]?.name ?? '' } : {};
  return updateSettings(app, { throttleProfiles: profiles, ...chosen });
}

/** Chooses the network that all traffic uses, and keeps custom profiles. A choice applies at once. */
export function ThrottleDialog() {
  const app = useApp();
  const { throttleProfiles } = useWindow((state) => state.settings);
  // The place of the profile in the form; the list's length for a new one.
  const [editing, setEditing] = useState<number | null>(null);
  const close = () => app.store.setState({ panel: null });
  const replace = (at: number, by: CustomProfile[]) => replaceProfile(app, at, by);
  if (editing !== null) {
    return (
      <Dialog title={editing < throttleProfiles.length ? 'Edit profile' : 'New profile'} onClose={close}>
        <ProfileForm
          profile={throttleProfiles[editing] ?? { name: '' }}
          save={async (profile) => {
            if (await replace(editing, [profile])) setEditing(null);
          }}
          cancel={() => setEditing(null)}
        />
      </Dialog>
    );
  }
  return (
    <Dialog title="Throttle" onClose={close}>
      <p className="muted">
        Applies to all traffic from the next exchange on. To slow down only some of it, add a rule.
      </p>
      <Profiles custom={throttleProfiles} edit={setEditing} remove={(at) => void replace(at, [])} />
      <div className="dialog-actions">
        <Button icon={Plus} onClick={() => setEditing(throttleProfiles.length)}>
          Add profile
        </Button>
      </div>
    </Dialog>
  );
}

interface ProfilesProps {
  custom: readonly CustomProfile[];
  /** Gets the profile's place among the custom ones. */
  edit: (at: number) => void;
  remove: (at: number) => void;
}

/** One radio group with the custom profiles in it: exactly one network is in use. */
function Profiles({ custom, edit, remove }: ProfilesProps) {
  return (
    <fieldset className="profiles">
      <legend className="unseen">Network</legend>
      <Profile name="" label="No throttling" about="" />
      {NETWORK_PROFILE_NAMES.map((name) => (
        <Profile key={name} name={name} label={name} about={networkInWords({ profile: name })} />
      ))}
      {custom.map((profile, at) => (
        <CustomRow key={profile.name} profile={profile} edit={() => edit(at)} remove={() => remove(at)} />
      ))}
    </fieldset>
  );
}

function Profile({ name, label, about }: { name: string; label: string; about: string }) {
  const app = useApp();
  const chosen = useWindow((state) => state.settings.throttle);
  return (
    <label>
      <input
        type="radio"
        name="throttle"
        checked={chosen === name}
        onChange={() => void updateSettings(app, { throttle: name })}
      />
      <b>{label}</b>
      <small>{about}</small>
    </label>
  );
}

/** Its buttons name the profile: a screen reader reads them without their row. */
function CustomRow({ profile, edit, remove }: { profile: CustomProfile; edit: () => void; remove: () => void }) {
  const { name, ...figures } = profile;
  return (
    <div className="custom">
      <Profile name={name} label={name} about={networkInWords(figures satisfies Throttle)} />
      <IconButton icon={Pencil} label={`Edit ${name}`} title="Edit" onClick={edit} />
      <IconButton icon={Trash2} label={`Remove ${name}`} title="Remove" onClick={remove} />
    </div>
  );
}
