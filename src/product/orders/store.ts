/** SQL that the statements of orders share. */

/** Whether the workshop's set-up is still the one that the call was made by. */
export const setupIsCurrent = `(setup_version IS NULL
      OR setup_version = (SELECT setup_version FROM workshop WHERE workshop.id = workshop_id))`;
