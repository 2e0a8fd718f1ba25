CREATE TABLE "variant_prices" (
	"variant_id" text NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL,
	"final_cents" integer NOT NULL,
	CONSTRAINT "variant_prices_variant_id_since_pk" PRIMARY KEY("variant_id","since")
);
--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "about" jsonb;--> statement-breakpoint
ALTER TABLE "variant_prices" ADD CONSTRAINT "variant_prices_variant_id_variants_id_fk" FOREIGN KEY ("variant_id") REFERENCES "public"."variants"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
-- In the transaction that changes a price, whichever version of the shop does: several changes in one count as one.
CREATE FUNCTION keep_first_prices() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO variant_prices (variant_id, since, final_cents) SELECT id, now(), final_cents FROM added
  ON CONFLICT (variant_id, since) DO UPDATE SET final_cents = excluded.final_cents;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION keep_changed_prices() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO variant_prices (variant_id, since, final_cents)
  SELECT after.id, now(), after.final_cents FROM new_rows after JOIN old_rows before USING (id)
  WHERE after.final_cents <> before.final_cents
  ON CONFLICT (variant_id, since) DO UPDATE SET final_cents = excluded.final_cents;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER variant_price_added AFTER INSERT ON variants REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION keep_first_prices();
--> statement-breakpoint
CREATE TRIGGER variant_price_changed AFTER UPDATE ON variants REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION keep_changed_prices();
--> statement-breakpoint
INSERT INTO variant_prices (variant_id, since, final_cents) SELECT id, now(), final_cents FROM variants;
