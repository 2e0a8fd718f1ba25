-- Also when a discount begins or ends at the same price: the 30 days before a discount are those before it began.
CREATE OR REPLACE FUNCTION keep_changed_prices() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO variant_prices (variant_id, since, final_cents)
  SELECT after.id, now(), after.final_cents FROM new_rows after JOIN old_rows before USING (id)
  WHERE after.final_cents <> before.final_cents
    OR (after.final_cents < after.price_cents) <> (before.final_cents < before.price_cents)
  ON CONFLICT (variant_id, since) DO UPDATE SET final_cents = excluded.final_cents;
  RETURN NULL;
END $$;
