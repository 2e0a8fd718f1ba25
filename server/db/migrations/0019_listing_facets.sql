DROP INDEX "products_filters";--> statement-breakpoint
DROP INDEX "products_option_set";--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "facet_group" integer GENERATED ALWAYS AS (((floor(3 * ln(greatest(price_cents - (floor(price_cents * discount / 10000))::integer * 100, 1)::float8))::int * 10 + (case when price_cents * discount >= 10000 then discount else 0 end >= 10)::int + (case when price_cents * discount >= 10000 then discount else 0 end >= 25)::int + (case when price_cents * discount >= 10000 then discount else 0 end >= 50)::int) * 10 + floor(rating)::int) * 10 + is_available::int) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "products_own_shipping" ON "products" USING gin ("shipping_prices") WHERE is_visible and shipping_prices <> '{}';--> statement-breakpoint
CREATE INDEX "products_filters" ON "products" USING btree ("category","rating","final_cents","option_set","brand","seller_id","highest_cents","shown_discount","is_available","facet_group","id") WHERE is_visible;--> statement-breakpoint
CREATE INDEX "products_option_set" ON "products" USING btree ("option_set","brand","seller_id") WHERE is_visible;--> statement-breakpoint
-- Lists offer the countries that any shop ships to.
CREATE OR REPLACE FUNCTION seller_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  seller sellers := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD.shop_name, OLD.is_hidden) IS DISTINCT FROM (NEW.shop_name, NEW.is_hidden) THEN
    UPDATE products SET shop_name = NEW.shop_name, is_shop_hidden = NEW.is_hidden WHERE seller_id = NEW.id;
  END IF;
  PERFORM tell_pages('seller:' || seller.id);
  PERFORM tell_pages('stores');
  PERFORM tell_pages('home');
  IF TG_OP = 'DELETE' OR (TG_OP = 'UPDATE' AND (OLD.banner, OLD.is_verified, OLD.rating, OLD.is_hidden) IS DISTINCT FROM (NEW.banner, NEW.is_verified, NEW.rating, NEW.is_hidden)) OR (TG_OP = 'INSERT' AND NEW.banner IS NOT NULL) THEN
    PERFORM tell_pages('banners');
  END IF;
  IF TG_OP <> 'UPDATE' OR (OLD.shipping_rates, OLD.is_hidden) IS DISTINCT FROM (NEW.shipping_rates, NEW.is_hidden) THEN
    PERFORM tell_pages('destinations');
  END IF;
  RETURN NULL;
END $$;
