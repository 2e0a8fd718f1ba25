-- Tags, SKUs, barcodes and options that are sold out are found by searches, but no page shows them in a list.
CREATE FUNCTION searches_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_pages('searches');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER searches_changed AFTER UPDATE ON products FOR EACH ROW WHEN (
  (OLD.is_visible OR NEW.is_visible)
  AND (OLD.tags, OLD.codes, OLD.option_words) IS DISTINCT FROM (NEW.tags, NEW.codes, NEW.option_words)
) EXECUTE FUNCTION searches_changed();
--> statement-breakpoint
-- A shop without a banner changes none: its rating follows each review.
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
  -- A new row has no OLD, a deleted one no NEW: their columns are null.
  IF coalesce(OLD.banner, NEW.banner) IS NOT NULL AND (OLD.banner, OLD.is_verified, OLD.rating, OLD.is_hidden) IS DISTINCT FROM (NEW.banner, NEW.is_verified, NEW.rating, NEW.is_hidden) THEN
    PERFORM tell_pages('banners');
  END IF;
  IF TG_OP <> 'UPDATE' OR (OLD.shipping_rates, OLD.is_hidden) IS DISTINCT FROM (NEW.shipping_rates, NEW.is_hidden) THEN
    PERFORM tell_pages('destinations');
  END IF;
  RETURN NULL;
END $$;
